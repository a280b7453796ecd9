import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDataDir } from '#server/testing/program/server-process.ts';
import { CommandError } from '../terminal/command-errors.ts';
import { readSettingsFile } from './settings-file.ts';

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
