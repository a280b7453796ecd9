import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { PROGRAM_FILE } from '#server/testing/program/program.ts';
import { runProgram } from '#server/testing/program/run-program.ts';
import { APP_VERSION } from '#server/process/version.ts';
import { chooseCommand } from './registry.ts';
import { UsageError } from './terminal/command-errors.ts';
import { defaultDataFolder, help, version } from './help.ts';
import { serve } from './serve/serve.ts';

describe('chooseCommand', () => {
  it.each([
    [[], serve, []],
    [['--port', '1'], serve, ['--port', '1']],
    [['serve', '--tls'], serve, ['--tls']],
    [['help'], help, []],
    [['--help'], help, []],
    [['-h'], help, []],
    [['bantuan', 'admin'], help, ['admin']],
    [['serve', '--help'], help, ['serve']],
    [['admin', 'create', '-h'], help, ['admin']],
    [['--tls', '-h'], help, ['serve']],
    [['help', '--help'], help, []],
    [['-v'], version, []],
    [['--version'], version, []],
    [['version'], version, []],
  ])('finds the command of the words %j', (words, command, args) => {
    expect(chooseCommand(words)).toEqual({ command, args });
  });

  it.each(['bogus', 'constructor', '__proto__', 'Serve', ' serve'])('refuses the unknown command %j', (word) => {
    expect(() => chooseCommand([word])).toThrow(UsageError);
  });
});

it('says where the data is, as the program finds it', () => {
  expect(defaultDataFolder(false)).toBe('"data" di folder ini');
  // Also started from another folder.
  expect(defaultDataFolder(true)).toBe('"data" di folder program ini');
});

describe('an invalid command line', () => {
  // A command that reads the settings limits the rights of new files for its whole process, which is the tests' own here.
  const umask = process.umask();
  afterEach(() => void process.umask(umask));

  it.each([
    [['help', 'bogus'], 'Perintah "bogus" tidak dikenal.'],
    [['--bogus'], 'Pilihan "--bogus" tidak dikenal.'],
    [['serve', 'sekarang'], '"sekarang" tidak dikenal di sini.'],
    [['--port'], 'Pilihan "--port" memerlukan nilai.'],
    [['--port', '99999'], '--port: nilai "99999" tidak dapat dipakai; yang diterima: bilangan bulat 0 sampai 65535'],
    [['--port', '-1'], 'Pilihan "--port" memerlukan nilai.'],
    [['--tls=ya'], 'Pilihan "--tls" tidak memakai nilai.'],
    [['--data='], 'Pilihan "--data" memerlukan nama folder.'],
    [['admin'], 'Sesudah "admin": create, reset-password, reset-second-factor, atau second-factor-code.'],
    [
      ['admin', 'hapus'],
      '"admin hapus" tidak dikenal; yang ada: create, reset-password, reset-second-factor, second-factor-code.',
    ],
    [['admin', 'reset-password', '--name', 'x'], 'Pilihan "--name" tidak dipakai oleh admin reset-password.'],
    [['service'], 'Sesudah "service": install, uninstall, start, stop, status, atau show.'],
    [['service', 'pasang'], '"service pasang" tidak dikenal; yang ada: install, uninstall, start, stop, status, show.'],
    [['backup', '--periksa='], 'Pilihan "--periksa" memerlukan nama berkas.'],
    [['backup', '--periksa', 'a', '--ke', 'b'], 'Pilihan "--ke" dan "--periksa" tidak dapat dipakai bersama.'],
    [['service', 'status', '--for', 'mac'], 'Pilihan "--for" hanya untuk service show.'],
    [['service', 'show', '--for', 'os2'], '--for: nilai "os2" tidak dikenal; yang diterima: linux, mac, windows'],
  ])('refuses with an Indonesian line: %j', async (words, line) => {
    const { command, args } = chooseCommand(words);
    await expect(command(args)).rejects.toThrow(new UsageError(line));
  });
});

describe('help and version', () => {
  it('print all commands on one screen, one command, the version and the handbook', async () => {
    const [all, one, about, bogus, guide] = await Promise.all([
      runProgram(['--help']),
      runProgram(['help', 'service']),
      runProgram(['--version']),
      runProgram(['bogus']),
      runProgram(['help', 'panduan']),
    ]);
    expect(guide).toMatchObject({ code: 0, stderr: '' });
    expect(guide.stdout).toBe(readFileSync('docs/operations.md', 'utf8'));
    expect(all).toMatchObject({ code: 0, stderr: '' });
    for (const word of ['serve', 'backup [--ke FOLDER]', 'restore NAMA [--ya]', 'admin create', 'doctor', 'version']) {
      expect(all.stdout).toContain(`\n  ${word}`);
    }
    expect(all.stdout.split('\n').length).toBeLessThan(25);
    expect(one).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('--for SISTEM') as string });
    expect(about).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`PBB Kita v${APP_VERSION} (Node `) as string,
    });
    expect([bogus.code, bogus.stdout, bogus.stderr.trimEnd().split('\n')]).toEqual([
      2,
      '',
      [
        'Perintah "bogus" tidak dikenal.',
        `Jalankan "node ${relative(process.cwd(), PROGRAM_FILE)} help" untuk melihat semua perintah.`,
      ],
    ]);
  });
});
