import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runProgram, type ProgramResult } from '#server/testing/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/server-process.ts';

/** Each command takes about half a second, so each test here checks several things at once. */
const TIMEOUT = { timeout: 180_000 };
const CREATED_LINE = /^Cadangan selesai dan sudah diperiksa: (\S+\.tar)$/m;
const PROOF = '0b0e7a53-9f0c-4f6e-8f2a-5f1f5b1b6c11.jpg';
const LOGIN = { email: 'admin@pbb.local', password: 'kata-sandi-uji' };

type Options = Parameters<typeof runProgram>[1];
const run = (dataDir: string, args: string[], options: Options = {}): Promise<ProgramResult> =>
  runProgram([...args, '--data', dataDir], options);

async function signIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(LOGIN),
  });
  const { data } = (await response.json()) as { data: { token: string } };
  return data.token;
}
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

function withDatabase<T>(dataDir: string, ask: (sqlite: Database.Database) => T): T {
  const sqlite = new Database(join(dataDir, 'pbb.sqlite'));
  try {
    return ask(sqlite);
  } finally {
    sqlite.close();
  }
}
/** As if the administrator had recorded it. */
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

describe('backup and restore', TIMEOUT, () => {
  it('beside a running server, and back again without it', async () => {
    const { dataDir, url, stop, start } = await startTestServer();
    const token = await signIn(url);
    addRecord(dataDir, 'dulu', PROOF);
    const image = readFileSync(join(dataDir, 'proofs', PROOF));

    const made = await run(dataDir, ['backup']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toMatch(/^Isinya database dan 1 bukti pembayaran, [\d,]+ [KM]B\.$/m);
    const file = CREATED_LINE.exec(made.stdout)?.[1] ?? '';
    expect(file).toMatch(/data\/backups\/pbb-kita-\d{8}-\d{6}-manual\.tar$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    addRecord(dataDir, 'kemudian', null);
    const refused = await run(dataDir, ['restore', file, '--ya']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^DATA_DIR: PBB Kita sudah berjalan dengan folder data ".*"; .* hentikan server/);
    await stop();

    const name = file.slice(file.lastIndexOf('/') + 1);
    const unsure = await run(dataDir, ['restore', name], { input: 'ya\n' });
    expect(unsure).toMatchObject({ code: 1, stderr: 'Dibatalkan; tidak ada data yang diubah.\n' });
    expect(unsure.stdout).toContain('database dan 1 bukti pembayaran');
    expect(recordsIn(dataDir)).toEqual(['dulu', 'kemudian']);

    const restored = await run(dataDir, ['restore', name], { input: 'PULIHKAN\n' });
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const [, aside = ''] = /^Data sebelumnya disimpan di (\S+);/m.exec(restored.stdout) ?? [];
    expect(readdirSync(aside).toSorted()).toEqual(['pbb.sqlite', 'proofs']);
    expect(recordsIn(dataDir)).toEqual(['dulu']);
    expect(readFileSync(join(dataDir, 'proofs', PROOF)).equals(image)).toBe(true);

    const again = await start().ready();
    expect(await readSessionStatus(again.url, token)).toBe(401);
    expect(await readSessionStatus(again.url, await signIn(again.url))).toBe(200);
  });

  it('to a folder that somebody names, and into another computer’s', async () => {
    const { dataDir, stop } = await startTestServer();
    await stop();
    addRecord(dataDir, 'dulu', PROOF);
    const stick = join(dataDir, '../stick');
    mkdirSync(stick);
    const made = await run(dataDir, ['backup', '--ke', stick]);
    expect(made.code).toBe(0);
    const [file = ''] = readdirSync(stick);
    expect(made.stdout).toContain(join(stick, file));
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);

    const elsewhere = join(dataDir, '../other/data');
    expect(await run(elsewhere, ['restore', join(stick, file), '--ya'])).toMatchObject({ code: 0, stderr: '' });
    expect(recordsIn(elsewhere)).toEqual(['dulu']);
    expect(existsSync(join(elsewhere, 'proofs', PROOF))).toBe(true);
  });

  it('list, and say what to do when they cannot', async () => {
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
    expect(noFile.stderr).toMatch(/^Berkas ".*tidak-ada\.tar" tidak ada\..*\nTidak ada data yang diubah\.\n$/);

    const made = await run(dataDir, ['backup'], { env: { BACKUP_SECOND_DIR: '/nowhere/usb' } });
    expect(made).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Salinan kedua gagal: Folder/) as string });
    const file = readdirSync(join(dataDir, 'backups')).find((name) => name.endsWith('.tar')) ?? '';
    const listed = await run(dataDir, ['restore']);
    expect(listed.stdout).toContain(`Cadangan di ${join(dataDir, 'backups')}:\n  ${file}  `);
    const before = readdirSync(dataDir);
    const sound = await run(dataDir, ['backup', '--periksa', file]);
    expect(sound).toMatchObject({ code: 0, stderr: '' });
    expect(sound.stdout).toContain(`Cadangan utuh: ${join(dataDir, 'backups', file)}\n`);
    expect(readdirSync(dataDir)).toEqual(before);
    expect(listed.stdout).toMatch(/^Untuk memulihkan: hentikan server, lalu jalankan .* restore NAMA-BERKAS$/m);

    const broken = join(empty, '../broken.tar');
    copyFileSync(join(dataDir, 'backups', file), broken);
    const bytes = readFileSync(broken);
    writeFileSync(broken, bytes.subarray(0, bytes.length - 3000));
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
