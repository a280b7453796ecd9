import { createHash } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, readSync, realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOrText, renameAndSyncFolder } from '#server/files/atomic.ts';
import { BackupError } from './backup-errors.ts';
import { UNFINISHED_SUFFIX, type Backup } from './archive-names.ts';
import type { Throttle } from './throttle.ts';

const CHUNK_BYTES = 1024 * 1024;

/** The folder is never created: when its disk is unplugged, it would be created on another disk. @throws BackupError */
export function requireFolder(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) {
    throw new BackupError(
      `Folder "${folder}" tidak ada. Pasang disk USB atau sambungkan folder jaringannya, atau buat folder itu dulu.`,
    );
  }
}

async function copyAndHash(from: string, to: string, throttle: Throttle): Promise<string> {
  const source = openSync(from, 'r');
  const target = openSync(to, 'wx', 0o600);
  const hash = createHash('sha256');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const length = readSync(source, chunk);
      if (length === 0) break;
      hash.update(chunk.subarray(0, length));
      await throttle.write(target, chunk.subarray(0, length));
    }
    fdatasyncSync(target);
    return hash.digest('hex');
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

async function hashFile(path: string, throttle: Throttle): Promise<string> {
  const file = openSync(path, 'r');
  const hash = createHash('sha256');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const length = readSync(file, chunk);
      if (length === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, length));
      await throttle.afterRead(length);
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Copies a finished archive to another folder: written under a temporary name, synced, read back, renamed.
 * @throws BackupError, or errors of the disk; nothing is left behind then
 */
export async function copyToSecondFolder(
  backupsDir: string,
  folder: string,
  backup: Backup,
  throttle: Throttle,
): Promise<void> {
  requireFolder(folder);
  if (realpathSync(folder) === realpathSync(backupsDir)) {
    throw new BackupError(
      'Folder cadangan kedua sama dengan folder cadangan itu sendiri. Minta pengelola server memilih folder di disk lain.',
    );
  }
  const target = join(folder, backup.name);
  const unfinished = `${target}${UNFINISHED_SUFFIX}`;
  try {
    const copied = await copyAndHash(join(backupsDir, backup.name), unfinished, throttle);
    if (copied !== (await hashFile(unfinished, throttle))) {
      throw new BackupError(`Salinan di "${folder}" tidak terbaca kembali seperti aslinya. Ganti disk itu.`);
    }
    renameAndSyncFolder(unfinished, target);
  } catch (error) {
    try {
      rmSync(unfinished, { force: true });
    } catch {
      // The disk was unplugged. The next copy sweeps the leftovers.
    }
    throw error;
  }
}

/** @returns one Indonesian line that says what to do */
export function describeSecondFolderError(error: unknown, folder: string): string {
  if (error instanceof BackupError) return error.message;
  const code = errorCodeOrText(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return `Disk dari "${folder}" penuh. Kosongkan, lalu cadangkan lagi.`;
  if (code === 'EROFS') {
    return `Salinan ke "${folder}" gagal (EROFS): server tidak boleh menulis di situ. Buka kunci disk itu; bila server berjalan sebagai layanan, ulangi "service install".`;
  }
  return `Salinan ke "${folder}" gagal (${code}). Periksa apakah disk itu terpasang dan boleh ditulis.`;
}
