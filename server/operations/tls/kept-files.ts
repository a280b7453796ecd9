import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { ListenError } from '#server/http/listen/listen.ts';

/** The files of the certificates in the data folder: whole or not there, and their owner's alone. */

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** @returns null when there is no such file. @throws ListenError when it cannot be read */
export function readKept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new ListenError(
      `DATA_DIR: berkas "${file}" tidak dapat dibaca (${codeOf(error)}); yang diterima: berkas milik pengguna yang menjalankan program ini`,
      { cause: error },
    );
  }
}

export function makeKeptFolder(folder: string): void {
  orFault(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    keepToOwner(folder, 0o700);
  });
}

/** Aside, to the disk, renamed: whatever ends the program, nobody ever reads half a key. @throws ListenError */
export function writeKept(file: string, text: string): void {
  orFault(file, () => {
    const aside = `${file}.new`;
    // What an earlier try left behind may be somebody else's to read.
    rmSync(aside, { force: true });
    const handle = openSync(aside, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(aside, file);
  });
}

/** A copy from elsewhere may be readable by everybody. */
export function keepToOwner(file: string, mode = 0o600): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    // Somebody else's, or a file system without rights: whether it can be used shows when it is.
    if (!['EPERM', 'ENOENT', 'ENOSYS', 'EROFS'].includes(codeOf(error))) throw error;
  }
}

/** @throws ListenError */
export function moveAside(file: string, to: string): void {
  orFault(file, () => renameSync(file, to));
}

function orFault(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new ListenError(
      `DATA_DIR: "${file}" tidak dapat ditulis (${codeOf(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini, pada disk yang tidak penuh`,
      { cause: error },
    );
  }
}
