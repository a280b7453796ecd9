import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lanAddresses } from '#server/http/listen/lan-addresses.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';
import { formatAddressLines } from '../terminal/address-lines.ts';

const GENERATED_PASSWORD = /[a-z2-9]{4}(?:-[a-z2-9]{4}){3}/;

describe('serve', () => {
  it('reads setelan.env, prints its addresses, and writes a log without the password', async () => {
    const dataDir = tempDataDir();
    mkdirSync(dataDir);
    const token = 'a-token-for-metrics';
    // Notepad may write a byte order mark.
    writeFileSync(join(dataDir, 'setelan.env'), `\uFEFFMETRICS_TOKEN=${token}\nHOST=127.0.0.1\nPORT=abc\n`);
    const server = startServerProcess({ DATA_DIR: dataDir, HOST: '0.0.0.0', LOG_LEVEL: 'trace' });
    const { url, port } = await server.ready();
    // The environment wins over the file.
    const shown = lanAddresses('0.0.0.0', port).map((address) => `  ${address}`);
    const lines = server.output.stdout.trimEnd().split('\n');
    expect(lines.slice(-1 - shown.length)).toEqual([...shown, `PBB Kita siap di ${url}`]);
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    expect(await metrics.text()).toContain('pbb_event_loop_delay_seconds');

    const logs = join(dataDir, 'logs');
    const logged = (): string => readFileSync(join(logs, 'pbb-kita.log'), 'utf8');
    await fetch(`${url}/healthz/apa`);
    await expect.poll(() => readdirSync(dataDir).includes('logs') && logged()).toContain('"url":"/healthz/apa"');
    const [password = '?'] = GENERATED_PASSWORD.exec(server.output.stdout) ?? [];
    expect(password).toHaveLength(19);
    expect(logged()).not.toContain(password);
    for (const path of [logs, join(logs, 'pbb-kita.log')]) expect(statSync(path).mode & 0o077).toBe(0);
    server.child.kill('SIGTERM');
    expect(await server.exit()).toBe(0);
    const outputLines = server.output.stdout.split('\n');
    expect([outputLines[0], outputLines.at(-2)]).toEqual([`Data disimpan di ${dataDir}`, 'Server dihentikan.']);
    expect(statSync(join(dataDir, 'setelan.env')).mode & 0o077).toBe(0);
    // The file and standard output hold the same lines.
    const json = server.output.stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(logged().trimEnd().split('\n')).toEqual(json);
  });

  it('runs without a log when the log cannot be written', async () => {
    const dataDir = tempDataDir();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'logs'), '');
    const server = startServerProcess({ DATA_DIR: dataDir });
    const { url } = await server.ready();
    const answers = await Promise.all(Array.from({ length: 300 }, () => fetch(`${url}/api/x`)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    await expect.poll(() => server.output.stdout.match(/"url":"\/api\/x"/g)?.length).toBe(300);
    expect(server.output.stderr).toBe('');
  });

  it('reports invalid settings in the data folder, and logs the error once', async () => {
    const dataDir = tempDataDir();
    mkdirSync(join(dataDir, 'setelan.env'), { recursive: true });
    const unreadable = await runProgram(['serve', '--data', dataDir]);
    expect([unreadable.code, unreadable.stderr]).toEqual([
      1,
      expect.stringMatching(/^DATA_DIR: berkas setelan ".*setelan\.env" tidak dapat dibaca .*; yang diterima: .*\n$/),
    ]);
    const other = tempDataDir();
    mkdirSync(other);
    writeFileSync(join(other, 'setelan.env'), 'PORT=abc\n');
    const wrong = await runProgram(['serve', '--data', other]);
    const again = await runProgram(['serve', '--data', other]);
    expect(again).toEqual(wrong);
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'PORT: nilai "abc" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535\n',
    ]);
    expect(readdirSync(other)).toEqual(['logs', 'setelan.env']);
    // A service has no terminal, so the error is in the log too: once, although there were two starts.
    const lines = readFileSync(join(other, 'logs', 'pbb-kita.log'), 'utf8')
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 60, msg: `server tidak dapat mulai: ${wrong.stderr.trimEnd()}` }),
    ]);
  });
});

describe('a start that is refused', () => {
  it('prints the line of the error alone, without where the data is stored', async () => {
    const dataDir = tempDataDir();
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, 'secret'), 'x'.repeat(64));
    const refused = await runProgram(['serve', '--data', dataDir], { env: { HOST: '127.0.0.1', PORT: '0' } });
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^DATA_DIR: database ".*pbb\.sqlite" tidak ada, padahal di folder itu ada secret; .*\n$/,
      ),
    });
  });
});

describe('formatAddressLines', () => {
  it('explains that a loopback address is closed to other devices', () => {
    expect(formatAddressLines({ host: '127.0.0.1' }, 3000, true)).toEqual([
      expect.stringMatching(/^Hanya komputer ini yang dapat membukanya/),
    ]);
  });

  it('adds a QR code only when asked to', () => {
    const host = '192.168.1.10';
    const plain = formatAddressLines({ host }, 3000, false);
    expect(plain).toEqual(['Dari komputer dan HP lain di jaringan kantor:', '  http://192.168.1.10:3000']);
    const drawn = formatAddressLines({ host }, 3000, true);
    expect(drawn.slice(0, 2)).toEqual(plain);
    expect(drawn.filter((line) => line.includes('█')).length).toBeGreaterThan(10);
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThan(80);
  });
});
