import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markMoved } from '#server/db/data-folder/moved-folder.ts';
import { buildImage } from '#server/testing/multipart.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from '#server/testing/program/server-process.ts';

const start = (dataDir: string): ServerProcess =>
  startServerProcess({ DATA_DIR: dataDir, ADMIN_EMAIL: 'a@kantor.id', ADMIN_PASSWORD: 'rahasia-kantor' });

async function stop(server: ServerProcess): Promise<void> {
  server.child.kill('SIGTERM');
  expect(await server.exit()).toBe(0);
}

async function uploadProof(url: string): Promise<void> {
  const credentials = { email: 'a@kantor.id', password: 'rahasia-kantor' };
  const login = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  const { data } = (await login.json()) as { data: { token: string } };
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'Siti', address: 'Jl. Mawar', spt_number: '3', amount: '1000' }))
    form.append(name, value);
  form.append('payment_proof', new Blob([buildImage()], { type: 'image/png' }), 'a.png');
  const headers = { authorization: `Bearer ${data.token}` };
  const answer = await fetch(`${url}/api/tax-records`, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(201);
}

/** A stopped installation with one proof. */
async function buildInstallation(): Promise<{ dataDir: string; elsewhere: string }> {
  const dataDir = tempDataDir();
  const server = start(dataDir);
  await uploadProof((await server.ready()).url);
  await stop(server);
  const elsewhere = join(dirname(dataDir), 'elsewhere');
  mkdirSync(elsewhere);
  return { dataDir, elsewhere };
}

const listFiles = (dataDir: string): string[] =>
  readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('server.lock') && !name.startsWith('logs'))
    .toSorted();

async function startErrorOf(dataDir: string): Promise<string> {
  const refused = start(dataDir);
  expect(await refused.exit()).toBe(1);
  return refused.output.stderr;
}

describe('an installation whose database was moved away', () => {
  it('makes the server and every command refuse, keeps all files, and works when the database comes back', async () => {
    const { dataDir, elsewhere } = await buildInstallation();
    renameSync(join(dataDir, 'pbb.sqlite'), join(elsewhere, 'pbb.sqlite'));
    const before = listFiles(dataDir);
    const refusal =
      /^DATA_DIR: database ".*" tidak ada, padahal di folder itu ada 1 foto atau dokumen, secret, instalasi\.json; yang diterima: .*\n$/;
    expect(await startErrorOf(dataDir)).toMatch(refusal);
    const commands = [['backup'], ['admin', 'create', '--email', 'b@kantor.id'], ['admin', 'first']];
    for (const command of commands) {
      const { code, stderr } = await runProgram([...command, '--data', dataDir]);
      expect([code, stderr], command.join(' ')).toEqual([1, expect.stringMatching(refusal)]);
    }
    const examined = await runProgram(['doctor', '--data', dataDir]);
    expect(examined.stdout).toMatch(/^PERIKSA database ".*" tidak ada, padahal .*"accept"/m);
    expect(listFiles(dataDir)).toEqual(before);

    renameSync(join(elsewhere, 'pbb.sqlite'), join(dataDir, 'pbb.sqlite'));
    const server = start(dataDir);
    await server.ready();
    await stop(server);
    const { stdout } = await runProgram(['doctor', '--data', dataDir]);
    expect(stdout).toContain('ok      foto dan dokumen lengkap (1)');
    const accepted = await runProgram(['accept', '--data', dataDir]);
    expect([accepted.code, accepted.stdout]).toEqual([0, expect.stringMatching(/^Tidak ada yang perlu diterima/)]);
  });

  it('founds a new one on purpose, and the old images come back with the old database', async () => {
    const { dataDir, elsewhere } = await buildInstallation();
    const [proof = ''] = readdirSync(join(dataDir, 'proofs'));
    renameSync(join(dataDir, 'pbb.sqlite'), join(elsewhere, 'pbb.sqlite'));
    const declined = await runProgram(['accept', '--data', dataDir], { input: 'tidak\n' });
    expect([declined.code, declined.stderr]).toEqual([1, 'Dibatalkan; tidak ada data yang diubah.\n']);
    expect(existsSync(join(dataDir, 'pbb.sqlite'))).toBe(false);
    expect((await runProgram(['accept', '--data', dataDir], { input: 'TERIMA\n' })).code).toBe(0);
    const fresh = start(dataDir);
    await fresh.ready();
    expect(fresh.output.stdout).toContain('Administrator pertama dibuat: a@kantor.id');
    await stop(fresh);
    expect(readdirSync(join(dataDir, 'proofs'))).toEqual([]);

    copyFileSync(join(elsewhere, 'pbb.sqlite'), join(dataDir, 'pbb.sqlite'));
    const back = start(dataDir);
    await back.ready();
    await stop(back);
    expect(readdirSync(join(dataDir, 'proofs'))).toEqual([proof]);
  });
});

describe('an installation with an older copy of its database', () => {
  it('makes the server refuse, and works on with the newer one or, on purpose, with the older one', async () => {
    const { dataDir, elsewhere } = await buildInstallation();
    copyFileSync(join(dataDir, 'pbb.sqlite'), join(elsewhere, 'old.sqlite'));
    const server = start(dataDir);
    await uploadProof((await server.ready()).url);
    await stop(server);
    const proofs = readdirSync(join(dataDir, 'proofs'));
    expect(proofs).toHaveLength(2);
    copyFileSync(join(dataDir, 'pbb.sqlite'), join(elsewhere, 'new.sqlite'));
    copyFileSync(join(elsewhere, 'old.sqlite'), join(dataDir, 'pbb.sqlite'));
    expect(await startErrorOf(dataDir)).toMatch(/lebih lama daripada isi lain folder itu \(1 perubahan terakhir .*\n$/);
    const { stdout } = await runProgram(['doctor', '--data', dataDir]);
    expect(stdout).toMatch(/^PERIKSA database di folder data .* lebih lama .*"accept"/m);
    expect(readdirSync(join(dataDir, 'proofs'))).toEqual(proofs);

    expect((await runProgram(['accept', '--ya', '--data', dataDir])).code).toBe(0);
    const accepted = start(dataDir);
    await accepted.ready();
    await stop(accepted);
    expect(readdirSync(join(dataDir, 'proofs'))).toHaveLength(1);
    // The newer database is found after all: nothing it needs was lost.
    copyFileSync(join(elsewhere, 'new.sqlite'), join(dataDir, 'pbb.sqlite'));
    const again = start(dataDir);
    await again.ready();
    await stop(again);
    expect(readdirSync(join(dataDir, 'proofs')).toSorted()).toEqual(proofs.toSorted());
    expect(JSON.parse(readFileSync(join(dataDir, 'instalasi.json'), 'utf8'))).toMatchObject({
      marks: { auditEntries: 2 },
    });
  });
});

describe('an installation that has moved to PostgreSQL', () => {
  it('makes the server and every command refuse until it is accepted on purpose', async () => {
    const { dataDir } = await buildInstallation();
    markMoved(dataDir, '2026-11-29');
    const before = listFiles(dataDir);
    const refusal =
      /^Kantor ini sudah dipindahkan ke PostgreSQL pada 29 November 2026\. Untuk memakainya lagi: node \S+ accept\.\n$/;
    expect(await startErrorOf(dataDir)).toMatch(refusal);
    for (const command of [
      ['backup'],
      ['admin', 'create', '--email', 'b@kantor.id'],
      ['pindah', '--ke', 'postgres://a@b/c'],
    ]) {
      const { code, stderr } = await runProgram([...command, '--data', dataDir]);
      expect([code, stderr], command.join(' ')).toEqual([1, expect.stringMatching(refusal)]);
    }
    const { stdout } = await runProgram(['doctor', '--data', dataDir]);
    expect(stdout).toMatch(
      /^PERIKSA Kantor ini sudah dipindahkan ke PostgreSQL .*Jalankan server dengan DATABASE_URL\.$/m,
    );
    expect((await runProgram(['accept', '--data', dataDir], { input: 'tidak\n' })).code).toBe(1);
    expect(listFiles(dataDir)).toEqual(before);
    expect((await runProgram(['accept', '--data', dataDir], { input: 'TERIMA\n' })).code).toBe(0);
    const server = start(dataDir);
    await server.ready();
    await stop(server);
  });

  it('starts again after a backup was restored in its folder', async () => {
    const { dataDir } = await buildInstallation();
    expect((await runProgram(['backup', '--data', dataDir])).code).toBe(0);
    markMoved(dataDir, '2026-11-29');
    const name = readdirSync(join(dataDir, 'backups')).find((file) => file.startsWith('pbb-kita-')) ?? '';
    expect((await runProgram(['restore', name, '--ya', '--data', dataDir])).code).toBe(0);
    const server = start(dataDir);
    await server.ready();
    await stop(server);
  });
});
