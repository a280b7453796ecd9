import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, type ProgramResult } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { signIn } from '#server/testing/sign-in.ts';
import { withDatabase } from '#server/testing/with-database.ts';

/** Each start takes about half a second, so each test checks several things at once. */
const TIMEOUT = { timeout: 180_000 };
const POLL = { timeout: 30_000, interval: 50 };
const LOGIN = { email: 'admin@pbb.local', password: 'kata-sandi-uji' };
const PROOF = '0b0e7a53-9f0c-4f6e-8f2a-5f1f5b1b6c11.jpg';

const run = (dataDir: string, args: string[], env: Record<string, string> = {}): Promise<ProgramResult> =>
  runProgram([...args, '--data', dataDir], { env });

/** Every row of every table. */
const readEverything = (dataDir: string): Record<string, unknown[]> =>
  withDatabase(dataDir, (sqlite) => {
    const names = sqlite
      .prepare<[], string>(
        "select name from sqlite_schema where type = 'table' and sql not like '%virtual%' order by name",
      )
      .pluck()
      .all();
    return Object.fromEntries(names.map((name) => [name, sqlite.prepare(`select * from "${name}"`).all()]));
  });

const isCopied = (secondDir: string): boolean => {
  const file = join(secondDir, 'salinan-berjalan/salinan.json');
  return existsSync(file) && /"atMs":\d/.test(readFileSync(file, 'utf8'));
};

async function startOffice() {
  const dataDir = tempDataDir();
  const secondDir = join(dataDir, '../usb');
  mkdirSync(secondDir);
  mkdirSync(join(dataDir, 'proofs'), { recursive: true, mode: 0o700 });
  const start = (folder = dataDir, env: Record<string, string> = {}) =>
    startServerProcess({ DATA_DIR: folder, BACKUP_SECOND_DIR: secondDir, ADMIN_PASSWORD: LOGIN.password, ...env });
  const server = start();
  const { url } = await server.ready();
  const { token } = await signIn(url, LOGIN.email, LOGIN.password);
  await expect.poll(() => isCopied(secondDir), POLL).toBe(true);
  return { dataDir, secondDir, folder: join(secondDir, 'salinan-berjalan'), start, server, token };
}

async function stop({ child, exit }: ReturnType<typeof startServerProcess>): Promise<void> {
  child.kill('SIGTERM');
  await exit();
}

const readStatus = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('restore of a running copy', TIMEOUT, () => {
  it('moves an office to a new computer, where everybody stays signed in', async () => {
    const { dataDir, secondDir, folder, start, server, token } = await startOffice();
    writeFileSync(join(dataDir, 'proofs', PROOF), randomBytes(10_000));
    writeFileSync(join(dataDir, 'setelan.env'), 'APP_TIMEZONE=Asia/Makassar\nPORT=8080\n');
    await stop(server);
    const before = readdirSync(folder, { recursive: true }).map(String).toSorted();
    expect(before).toEqual(expect.arrayContaining(['pbb.sqlite', 'secret', 'instalasi.json', `proofs/${PROOF}`]));

    const otherDir = join(dataDir, '../other');
    const refused = start(otherDir);
    expect(await refused.exit()).toBe(1);
    expect(refused.output.stderr).toContain(`Di ${secondDir} ada salinan berjalan dari `);
    expect(refused.output.stderr).toContain(
      ` restore "${folder}", atau mulai kantor baru dengan BACKUP_RUNNING_COPY=off.`,
    );
    expect(existsSync(otherDir)).toBe(false);

    const listed = await run(otherDir, ['restore'], { BACKUP_SECOND_DIR: secondDir });
    expect(listed.stdout).toMatch(/^Salinan berjalan {2}\S.* {2}\((baru saja|\d+ detik yang lalu)\)$/m);

    const restored = await run(otherDir, ['restore', folder, '--ya']);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(restored.stdout).toContain('Semua pengguna tetap masuk seperti sebelumnya.');
    expect(restored.stdout).toContain('baris BACKUP_SECOND_DIR, PORT, dan TLS dimatikan');
    expect(restored.stdout).not.toContain('Data sebelumnya');
    expect(readFileSync(join(otherDir, 'setelan.env'), 'utf8')).toMatch(/^APP_TIMEZONE=Asia\/Makassar\n# PORT=8080$/m);
    expect(readEverything(otherDir)).toEqual(readEverything(dataDir));
    expect(readFileSync(join(otherDir, 'proofs', PROOF)).equals(readFileSync(join(dataDir, 'proofs', PROOF)))).toBe(
      true,
    );
    expect(readdirSync(folder, { recursive: true }).map(String).toSorted()).toEqual(before);

    const moved = start(otherDir);
    expect(await readStatus((await moved.ready()).url, token)).toBe(200);
    await stop(moved);
    // The former computer comes back: it must not write over what is newer.
    const returned = start();
    await returned.ready();
    await expect
      .poll(() => returned.output.stdout, POLL)
      .toContain(`Salinan di ${secondDir} lebih baru: kantor ini mungkin sudah pindah ke komputer lain.`);
    await stop(returned);
  });

  it('refuses a copy that is damaged, unfinished or lacks a file, and changes nothing then', async () => {
    const { dataDir, folder, server } = await startOffice();
    await stop(server);
    const broken = join(dataDir, '../broken');
    const target = join(dataDir, '../target');
    const tryRestore = async (change: () => void): Promise<string> => {
      rmSync(broken, { recursive: true, force: true });
      cpSync(folder, broken, { recursive: true });
      change();
      const { code, stderr } = await run(target, ['restore', broken, '--ya']);
      expect(code).toBe(1);
      expect(readdirSync(target).filter((name) => /pbb|part|secret/.test(name))).toEqual([]);
      return stderr;
    };
    expect(await tryRestore(() => writeFileSync(join(broken, 'pbb.sqlite'), randomBytes(8192)))).toMatch(
      /^Salinan ini rusak \(.*\)\. Pilih cadangan lain\.\nTidak ada data yang diubah\.\n$/,
    );
    expect(
      await tryRestore(() => {
        const state = JSON.parse(readFileSync(join(broken, 'salinan.json'), 'utf8')) as object;
        writeFileSync(join(broken, 'salinan.json'), JSON.stringify({ ...state, atMs: null }));
      }),
    ).toContain('belum pernah selesai dibuat');
    expect(
      await tryRestore(() =>
        withDatabase(broken, (sqlite) =>
          sqlite
            .prepare(
              `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status,
               proof_file, created_at, updated_at) select 'x', id, 'x', 'x', 'PBB', 'x', 2025, 1, 'lunas', ?, 1, 1 from users`,
            )
            .run(PROOF),
        ),
      ),
    ).toContain('Salinan ini kehilangan 1 foto atau dokumen.');
    const signedOut = await run(target, ['restore', folder, '--ya', '--keluarkan-semua']);
    expect(signedOut.stdout).toContain('Semua pengguna harus login lagi.');
    expect(withDatabase(target, (sqlite) => sqlite.prepare('select count(*) from sessions').pluck().get())).toBe(0);
  });
});
