import { existsSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { runProgram } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { signIn } from '#server/testing/sign-in.ts';
import { withDatabase } from '#server/testing/with-database.ts';

const GENERATED_PASSWORD = /^Password \(hanya ditampilkan sekali ini\): ([a-z2-9]{4}(?:-[a-z2-9]{4}){3})$/m;

const admin = (dataDir: string, args: string[], input = '') =>
  runProgram(['admin', ...args, '--data', dataDir], { input });

describe('admin create', () => {
  it('makes an administrator, and refuses the values that the forms refuse', async () => {
    const dataDir = tempDataDir();
    expect((await admin(dataDir, ['first'])).stdout).toMatch(GENERATED_PASSWORD);
    const made = await admin(dataDir, ['create', '--email', ' Ratna@Kantor.GO.ID ', '--name', 'Ibu\u202E Rat\u0007na']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    expect(made.stdout).toContain('Administrator dibuat: Ibu Ratna <ratna@kantor.go.id>\n');
    expect(made.stdout).toMatch(GENERATED_PASSWORD);

    const refused: [string[], string, string, number][] = [
      [['create', '--email', 'ratna@kantor.go.id'], '', 'sudah dipakai administrator Ibu Ratna', 1],
      [['create', '--email', 'dewi@kantor.id', '--password-stdin'], 'pendek\n', 'Password minimal 8 karakter', 1],
      [['create', '--email', 'dewi@kantor.id', '--name', '\u202E\u200B'], '', 'Nama wajib diisi', 1],
      [['create'], '', 'Pilihan "--email" diperlukan.', 2],
    ];
    const runs = await Promise.all(refused.map(([args, input]) => admin(dataDir, args, input)));
    for (const [at, [, , line, code]] of refused.entries()) {
      expect(runs[at]).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(line) as string });
    }
    const auditEntries = withDatabase(dataDir, (sqlite) =>
      sqlite.prepare('select action, actor_id, actor_name, subject_label from audit_entries').raw().all(),
    );
    expect(auditEntries.at(-1)).toEqual([
      'user.created',
      'terminal',
      'Terminal server',
      'Ibu Ratna (ratna@kantor.go.id)',
    ]);
  });
});

it('lets commands that start at the same moment come one after the other', async () => {
  const dataDir = tempDataDir();
  await admin(dataDir, ['first']);
  const emails = Array.from({ length: 8 }, (_, at) => `admin${at}@kantor.id`);
  const runs = await Promise.all(emails.map((email) => admin(dataDir, ['create', '--email', email])));
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(emails.map(() => [0, '']));
});

describe('admin reset-password', () => {
  it('replaces the password and ends all sessions beside a running server', async () => {
    const dataDir = tempDataDir();
    const server = startServerProcess({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'sandi-lama-1', LOG_LEVEL: 'silent' });
    const { url } = await server.ready();
    const before = await signIn(url, 'admin@pbb.local', 'sandi-lama-1');
    expect(before).toMatchObject({ status: 200, role: 'admin' });

    // Without --email: there is only one administrator.
    const reset = await admin(dataDir, ['reset-password', '--password-stdin'], 'sandi-baru-2\n');
    expect(reset).toMatchObject({ code: 0, stderr: '' });
    expect(reset.stdout).toContain('Password baru disimpan untuk Administrator <admin@pbb.local>; 1 sesi diakhiri.\n');
    expect(reset.stdout).not.toContain('sandi-baru-2');
    const headers = { authorization: `Bearer ${before.token}` };
    expect((await fetch(`${url}/api/auth/user`, { headers })).status).toBe(401);
    expect((await signIn(url, 'admin@pbb.local', 'sandi-lama-1')).status).toBe(401);
    expect((await signIn(url, 'admin@pbb.local', 'sandi-baru-2')).status).toBe(200);

    const second = await admin(dataDir, ['create', '--email', 'dewi@kantor.id', '--password-stdin'], 'sandi-dewi-3\n');
    expect(second.stdout).toBe('Administrator dibuat: Administrator <dewi@kantor.id>\n');
    expect(await signIn(url, 'dewi@kantor.id', 'sandi-dewi-3')).toMatchObject({ status: 200, role: 'admin' });
    const ambiguous = await admin(dataDir, ['reset-password']);
    expect(ambiguous.code).toBe(2);
    expect(ambiguous.stderr).toContain('sebutkan yang dimaksud dengan --email');
    expect(ambiguous.stderr).toContain('<dewi@kantor.id>');
    expect(server.output.stderr).toBe('');
  });

  it('works without a server, and reports a missing or inactive account', async () => {
    const dataDir = tempDataDir();
    await admin(dataDir, ['first']);
    withDatabase(dataDir, (sqlite) => sqlite.exec('delete from audit_entries; delete from users'));
    const none = await admin(dataDir, ['reset-password']);
    expect([none.code, none.stderr]).toEqual([1, 'Belum ada administrator. Untuk membuatnya: admin create\n']);
    await admin(dataDir, ['create', '--email', 'ratna@kantor.id']);
    withDatabase(dataDir, (sqlite) => sqlite.exec('update users set is_active = 0'));
    const unknown = await admin(dataDir, ['reset-password', '--email', 'x@y.id']);
    expect([unknown.code, unknown.stderr]).toEqual([1, 'Tidak ada akun dengan email "x@y.id".\n']);
    const inactive = await admin(dataDir, ['reset-password', '--email', 'ratna@kantor.id']);
    expect(inactive.code).toBe(0);
    expect(inactive.stdout).toMatch(GENERATED_PASSWORD);
    expect(inactive.stdout).toContain('Akun ini tidak aktif');
    const state = withDatabase(dataDir, (sqlite) => ({
      active: sqlite.prepare('select is_active from users').pluck().get(),
      entries: sqlite.prepare('select action, actor_id from audit_entries order by id').raw().all(),
    }));
    expect(state).toEqual({
      active: 0,
      entries: [
        ['user.created', 'terminal'],
        ['password.changed', 'terminal'],
      ],
    });
  });

  it('refuses a folder without data and does not create it', async () => {
    const missingDir = tempDataDir();
    for (const action of ['create', 'reset-password']) {
      const refused = await admin(missingDir, [action, '--email', 'x@y.id']);
      expect([refused.code, refused.stdout]).toEqual([1, '']);
      expect(refused.stderr).toContain(`DATA_DIR: belum ada data di folder "${missingDir}"; yang diterima: `);
    }
    expect(existsSync(missingDir)).toBe(false);
  });
});

describe('admin reset-second-factor and second-factor-code', () => {
  it('give an administrator with a new phone a way back, beside a running server that asks for a factor', async () => {
    const dataDir = tempDataDir();
    const env = { ADMIN_PASSWORD: 'sandi-lama-1', LOG_LEVEL: 'silent', REQUIRE_ADMIN_SECOND_FACTOR: 'on' };
    const server = startServerProcess({ DATA_DIR: dataDir, ...env });
    const { url } = await server.ready();
    const { token } = await signIn(url, 'admin@pbb.local', 'sandi-lama-1');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const post = async (path: string, body: object) => {
      const answer = await fetch(`${url}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, data: ((await answer.json()) as { data: Record<string, string> }).data };
    };
    const made = await admin(dataDir, ['second-factor-code']);
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const [, code] = /: ([2-9A-Y]{5}-[2-9A-Y]{5})$/m.exec(made.stdout) ?? [];
    const started = await post('/auth/second-factor', { current_password: 'sandi-lama-1', setup_code: code });
    expect(started.status).toBe(200);
    const app = new TOTP({ secret: Secret.fromBase32(started.data['secret'] ?? '') });
    expect((await post('/auth/second-factor/confirm', { code: app.generate() })).status).toBe(200);
    expect((await fetch(`${url}/api/admin/users`, { headers })).status).toBe(200);
    const again = await admin(dataDir, ['second-factor-code']);
    expect([again.code, again.stderr]).toEqual([1, 'Akun "admin@pbb.local" sudah memakai kode kedua.\n']);

    const reset = await admin(dataDir, ['reset-second-factor', '--email', 'admin@pbb.local']);
    expect(reset).toMatchObject({ code: 0, stderr: '' });
    expect(reset.stdout).toContain('Kode kedua Administrator <admin@pbb.local> dihapus; 1 sesi diakhiri.');
    expect((await fetch(`${url}/api/auth/user`, { headers })).status).toBe(401);
    expect(await signIn(url, 'admin@pbb.local', 'sandi-lama-1')).toMatchObject({ status: 200, role: 'admin' });
    const none = await admin(dataDir, ['reset-second-factor']);
    expect([none.code, none.stderr]).toEqual([1, 'Akun "admin@pbb.local" tidak memakai kode kedua.\n']);
    const entries = withDatabase(dataDir, (sqlite) =>
      sqlite.prepare("select actor_id from audit_entries where action = 'user.second_factor'").pluck().all(),
    );
    expect(entries).toHaveLength(3);
    expect(entries.filter((actor) => actor === 'terminal')).toHaveLength(2);
  });
});
