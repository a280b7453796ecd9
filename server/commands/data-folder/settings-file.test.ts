import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { readSettingsFile, settingsLines } from './settings-file.ts';

function createDataDirWith(content: string | Buffer, name = 'setelan.env'): { dataDir: string; path: string } {
  const dataDir = tempDataDir();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, name), content);
  return { dataDir, path: join(dataDir, name) };
}

describe('readSettingsFile', () => {
  it('reads a file with a byte order mark and line ends of Windows', () => {
    const { dataDir, path } = createDataDirWith(
      '\uFEFFPORT=8090\r\n# kantor\r\n\r\nBACKUP_SECOND_DIR=E:\\Cadangan-PBB\r\n',
    );
    expect(readSettingsFile(dataDir)).toEqual({
      path,
      values: { PORT: '8090', BACKUP_SECOND_DIR: 'E:\\Cadangan-PBB' },
      warnings: [],
    });
    expect(readSettingsFile(tempDataDir())).toEqual({ path: null, values: {}, warnings: [] });
  });

  it('warns about entries without effect, without repeating their values', () => {
    const { dataDir, path } = createDataDirWith('PORTA=1\nport=8090\nDATA_DIR=D:\\x\nkata-sandi-nyasar\nTLS=on\n');
    // Sorted, because the order of parseEnv is not defined.
    expect(readSettingsFile(dataDir).warnings.toSorted()).toEqual([
      `${path}: 1 baris tanpa "=" diabaikan; yang benar misalnya PORT=8080`,
      `${path}: DATA_DIR tidak berlaku di sini; pakai --data FOLDER.`,
      `${path}: PORTA tidak dikenal dan diabaikan.`,
      `${path}: port tidak dikenal dan diabaikan; maksudnya PORT?`,
    ]);
  });

  it('warns about a value that is cut at a # without repeating it, and about no comment', () => {
    const cut = 'ADMIN_PASSWORD=Rahasia2026#Desa\nJWT_SECRET=#rahasia\nPORT=8090 # porta\n# HOST=x#y\nMETRICS_TOKEN=\n';
    const { dataDir, path } = createDataDirWith(`${cut}ADMIN_NAME="Ratna #1"\nADMIN_EMAIL='r#a@pbb.local'\r\n`);
    const { values, warnings } = readSettingsFile(dataDir);
    expect(values).toMatchObject({ PORT: '8090', ADMIN_NAME: 'Ratna #1', ADMIN_EMAIL: 'r#a@pbb.local' });
    const advice =
      'bila "#" bagian dari nilainya, tulis nilainya di antara tanda kutip, bila bukan, beri spasi sebelum "#".';
    expect(warnings).toEqual(
      ['ADMIN_PASSWORD', 'JWT_SECRET'].map((name) => `${path}: nilai ${name} dipotong pada "#"; ${advice}`),
    );
  });

  it('warns about a file with a wrong name and does not read it', () => {
    const { dataDir, path } = createDataDirWith('PORT=8090\n', 'setelan.env.txt');
    expect(readSettingsFile(dataDir)).toEqual({
      path: null,
      values: {},
      warnings: [`Berkas "${path}" tidak dibaca: ganti namanya menjadi "setelan.env".`],
    });
  });

  it.each([
    ['little endian', Buffer.from('\uFEFFPORT=8090\r\n', 'utf16le')],
    ['big endian', Buffer.from('\uFEFFPORT=8090\r\n', 'utf16le').swap16()],
  ])('refuses a file in UTF-16, %s', (_name, bytes) => {
    const { dataDir } = createDataDirWith(bytes);
    expect(() => readSettingsFile(dataDir)).toThrow(CommandError);
    expect(() => readSettingsFile(dataDir)).toThrow(/bukan teks biasa \(UTF-16\?\); yang diterima: .* UTF-8$/);
  });
});

describe('settingsLines', () => {
  it('returns a line for each setting that differs from its default, with quotes where needed', () => {
    const environment = {
      PORT: '8080',
      HOST: '0.0.0.0',
      JWT_SECRET: `it's a "secret" # with 32 characters`,
      BACKUP_KEEP: '3,2,1',
      TLS: 'on',
      RATE_LIMITS: 'on',
    };
    expect(settingsLines(environment)).toEqual([
      'PORT=8080',
      'JWT_SECRET=`it\'s a "secret" # with 32 characters`',
      'BACKUP_KEEP=3,2,1',
      'TLS=on',
    ]);
  });

  it('leaves out what is given as an option or made before, and writes paths as absolute ones', () => {
    const environment = {
      DATA_DIR: '/srv/pbb',
      ADMIN_EMAIL: 'ratna@pbb.local',
      BACKUP_SECOND_DIR: 'usb',
      TLS_CERT: '',
    };
    expect(settingsLines(environment)).toEqual([`BACKUP_SECOND_DIR=${resolve('usb')}`]);
  });

  it('compares the ports with the defaults of a public name', () => {
    const environment = { TLS_DOMAIN: 'pbb.desa.id', HOST: '127.0.0.1', PORT: '80', TLS_PORT: '443' };
    expect(settingsLines(environment)).toEqual(['HOST=127.0.0.1', 'TLS_DOMAIN=pbb.desa.id']);
  });
});
