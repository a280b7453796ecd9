import { mkdirSync, readFileSync } from 'node:fs';
import {
  errorCode,
  errorCodeOrText,
  renameAndSyncFolder,
  restrictToOwner,
  writeFileAtomicSync,
} from '#server/files/atomic.ts';
import { ListenError } from '#server/http/listen/listen.ts';

/** Keys and certificates in the data folder. Only their owner may read them. */

/** @returns null when there is no such file. @throws ListenError when it cannot be read */
export function readSecretFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw new ListenError(
      `DATA_DIR: berkas "${file}" tidak dapat dibaca (${errorCodeOrText(error)}); yang diterima: berkas milik pengguna yang menjalankan program ini`,
      { cause: error },
    );
  }
}

/** @throws ListenError */
export function makeSecretFolder(folder: string): void {
  withListenError(folder, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    restrictToOwner(folder, 0o700);
  });
}

/** Replaces a file or creates it; a crash never leaves a part of a key. @throws ListenError */
export function writeSecretFile(file: string, text: string): void {
  withListenError(file, () => writeFileAtomicSync(file, text));
}

/** @throws ListenError */
export function renameSecretFile(file: string, to: string): void {
  withListenError(file, () => renameAndSyncFolder(file, to));
}

function withListenError(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new ListenError(
      `DATA_DIR: "${file}" tidak dapat ditulis (${errorCodeOrText(error)}); yang diterima: folder yang boleh ditulis oleh pengguna yang menjalankan program ini, pada disk yang tidak penuh`,
      { cause: error },
    );
  }
}
