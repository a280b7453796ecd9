import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runProgram, type ProgramResult } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { signIn } from '#server/testing/sign-in.ts';
import { withDatabase } from '#server/testing/with-database.ts';

const CREATED_LINE = /^Cadangan selesai dan sudah diperiksa: (\S+)$/m;
const PROOF = '0b0e7a53-9f0c-4f6e-8f2a-5f1f5b1b6c11.jpg';
const LOGIN = { email: 'admin@pbb.local', password: 'kata-sandi-uji' };

type Options = Parameters<typeof runProgram>[1];
const run = (dataDir: string, args: string[], options: Options = {}): Promise<ProgramResult> =>
  runProgram([...args, '--data', dataDir], options);

const signInAsAdmin = async (url: string): Promise<string> => (await signIn(url, LOGIN.email, LOGIN.password)).token;
const readSessionStatus = async (url: string, token: string): Promise<number> =>
  (await fetch(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).status;

async function startTestServer() {
  const dataDir = tempDataDir();
  const start = () => startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: LOGIN.password });
  const server = start();
  const { url } = await server.ready();
  const stop = async (): Promise<void> => {
    server.child.kill('SIGTERM');
    await server.exit();
  };
  return { dataDir, url, stop, start };
}

/** Adds a record of the administrator. */
function addRecord(dataDir: string, name: string, proof: string | null): void {
  if (proof !== null) writeFileSync(join(dataDir, 'proofs', proof), randomBytes(10_000));
  withDatabase(dataDir, (sqlite) =>
    sqlite
      .prepare(
        `insert into tax_records (id, user_id, name, address, tax_type, spt_number, year, amount_sen, status, proof_file,
         created_at, updated_at) select ?, id, ?, 'x', 'PBB', ?, 2025, 1, 'lunas', ?, 1, 1 from users limit 1`,
      )
      .run(name, name, name, proof),
  );
}
const recordsIn = (dataDir: string): unknown =>
  withDatabase(dataDir, (sqlite) => sqlite.prepare('select name from tax_records order by name').pluck().all());

describe('backup and restore', () => {
  it('back up beside a running server and restore without one', async () => {
    const { dataDir, url, stop, start } = await startTestServer();
    const token = await signInAsAdmin(url);
    addRecord(dataDir, 'dulu', PROOF);
    const image = readFileSync(join(dataDir, 'proofs', PROOF));

    const made = await run(dataDir, ['backup']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Isinya database dan 1 foto dan dokumen, [\d,]+ [KM]B\.$/m);
    const file = CREATED_LINE.exec(made.stdout)?.[1] ?? '';
    expect(file).toMatch(/data\/backups\/pbb-kita-\d{8}-\d{6}-manual$/);
    expect(statSync(file).mode & 0o777).toBe(0o700);

    addRecord(dataDir, 'kemudian', null);
    const refused = await run(dataDir, ['restore', file, '--ya']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /^Server masih berjalan dengan folder data ".*"\. Hentikan server dulu, lalu ulangi\.$/m,
    );
    await stop();

    const name = file.slice(file.lastIndexOf('/') + 1);
    const unconfirmed = await run(dataDir, ['restore', name], { input: 'ya\n' });
    expect(unconfirmed).toMatchObject({ code: 1, stderr: 'Dibatalkan; tidak ada data yang diubah.\n' });
    expect(unconfirmed.stdout).toContain('database dan 1 foto dan dokumen');
    expect(recordsIn(dataDir)).toEqual(['dulu', 'kemudian']);

    const restored = await run(dataDir, ['restore', name], { input: 'PULIHKAN\n' });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const [, aside = ''] = /^Data sebelumnya disimpan di (\S+);/m.exec(restored.stdout) ?? [];
    expect(readdirSync(aside).toSorted()).toEqual(['pbb.sqlite', 'proofs']);
    expect(recordsIn(dataDir)).toEqual(['dulu']);
    expect(readFileSync(join(dataDir, 'proofs', PROOF)).equals(image)).toBe(true);

    const again = await start().ready();
    expect(await readSessionStatus(again.url, token)).toBe(401);
    expect(await readSessionStatus(again.url, await signInAsAdmin(again.url))).toBe(200);
  });

  it('back up to a given folder and restore into another data folder', async () => {
    const { dataDir, stop } = await startTestServer();
    await stop();
    addRecord(dataDir, 'dulu', PROOF);
    const usbDir = join(dataDir, '../stick');
    mkdirSync(usbDir);
    const made = await run(dataDir, ['backup', '--ke', usbDir]);
    expect(made.code).toBe(0);
    const [file = ''] = readdirSync(usbDir);
    // One file, which is easier to carry.
    expect(file).toMatch(/^pbb-kita-\d{8}-\d{6}-manual\.tar$/);
    expect(made.stdout).toContain(join(usbDir, file));
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);

    const otherDataDir = join(dataDir, '../other/data');
    expect(await run(otherDataDir, ['restore', join(usbDir, file), '--ya'])).toMatchObject({ code: 0, stderr: '' });
    expect(recordsIn(otherDataDir)).toEqual(['dulu']);
    expect(existsSync(join(otherDataDir, 'proofs', PROOF))).toBe(true);
  });

  it('list and check backups, and print what to do after an error', async () => {
    const { dataDir, stop } = await startTestServer();
    await stop();
    const empty = tempDataDir();
    const [nothing, noData, noFolder, unknown, noFile] = await Promise.all([
      run(dataDir, ['restore']),
      run(empty, ['backup']),
      run(dataDir, ['backup', '--ke', '/nowhere/at/all']),
      run(dataDir, ['backup', '--cepat']),
      run(join(empty, 'fresh'), ['restore', 'tidak-ada.tar', '--ya']),
    ]);
    expect(nothing).toMatchObject({ code: 0, stdout: `Belum ada cadangan di ${join(dataDir, 'backups')}.\n` });
    expect(noData).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^DATA_DIR: belum ada data di folder/) as string,
    });
    expect(noFolder.stderr).toBe(
      'Folder "/nowhere/at/all" tidak ada. Pasang disk USB atau sambungkan folder jaringannya, atau buat folder itu dulu.\n',
    );
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('"--cepat" tidak dikenal') as string });
    expect(noFile.stderr).toMatch(/^Cadangan ".*tidak-ada\.tar" tidak ada\..*\nTidak ada data yang diubah\.\n$/);

    const made = await run(dataDir, ['backup'], { env: { BACKUP_SECOND_DIR: '/nowhere/usb' } });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Salinan kedua gagal: Folder/) as string });
    const file = readdirSync(join(dataDir, 'backups')).find((name) => name.startsWith('pbb-kita-')) ?? '';
    const listed = await run(dataDir, ['restore']);
    expect(listed.stdout).toContain(`Cadangan di ${join(dataDir, 'backups')}:\n  ${file}  `);
    const before = readdirSync(dataDir);
    const checked = await run(dataDir, ['backup', '--periksa', file]);
    expect(checked).toMatchObject({ code: 0, stderr: '' });
    expect(checked.stdout).toContain(`Cadangan utuh: ${join(dataDir, 'backups', file)}\n`);
    expect(readdirSync(dataDir)).toEqual(before);
    expect(listed.stdout).toMatch(/^Untuk memulihkan: hentikan server, lalu jalankan .* restore NAMA$/m);

    const broken = join(empty, '../broken');
    cpSync(join(dataDir, 'backups', file), broken, { recursive: true });
    const database = join(broken, 'pbb.sqlite.gz');
    const bytes = readFileSync(database);
    writeFileSync(database, bytes.subarray(0, bytes.length - 3000));
    for (const words of [
      ['restore', broken, '--ya'],
      ['backup', '--periksa', broken],
    ]) {
      const refused = await run(dataDir, words);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toMatch(
        /^Cadangan ini rusak atau tidak lengkap .*\. Pilih cadangan lain\.\nTidak ada data/,
      );
    }
  });
});
