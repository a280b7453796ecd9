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

export const errorCodeText = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error);

/** @returns null when there is no such file. @throws ListenError when it cannot be read */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCodeText(error) === 'ENOENT') return null;
    throw new ListenError(
      `DATA_DIR: berkas "${file}" tidak dapat dibaca (${errorCodeText(error)}); yang diterima: berkas milik pengguna yang menjalankan program ini`,
      { cause: error },
    );
  }
}

export function makeSecretFolder(folder: string): void {
  withListenError(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    restrictToOwner(folder, 0o700);
  });
}

/** Aside, to the disk, renamed: whatever ends the program, nobody ever reads half a key. @throws ListenError */
export function writeSecretFile(file: string, text: string): void {
  withListenError(file, () => {
    const temporary = `${file}.new`;
    // What an earlier try left behind may be somebody else's to read.
    rmSync(temporary, { force: true });
    const handle = openSync(temporary, 'wx', 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  });
}

/** A copy from elsewhere may be readable by everybody. */
export function restrictToOwner(file: string, mode = 0o600): void {
  try {
    chmodSync(file, mode);
  } catch (error) {
    // Somebody else's, or a file system without rights: whether it can be used shows when it is.
    if (!['EPERM', 'ENOENT', 'ENOSYS', 'EROFS'].includes(errorCodeText(error))) throw error;
  }
}

/** @throws ListenError */
export function moveAside(file: string, to: string): void {
  withListenError(file, () => renameSync(file, to));
}

function withListenError(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new ListenError(
      `DATA_DIR: "${file}" tidak dapat ditulis (${errorCodeText(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini, pada disk yang tidak penuh`,
      { cause: error },
    );
  }
}
