import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOrText, renameAndSyncFolder } from '#server/files/atomic.ts';
import { readEntry, readFolderManifest } from './archive/archive-reader.ts';
import { createFolderWriter, type LinkFile, type PreviousArchive } from './archive/folder-writer.ts';
import { UNFINISHED_SUFFIX } from './archive-names.ts';
import { BackupError } from './backup-errors.ts';
import type { Throttle } from './throttle.ts';

/** The folder is never created: when its disk is unplugged, it would be created on another disk. @throws BackupError */
export function requireFolder(folder: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) {
    throw new BackupError(
      `Folder "${folder}" tidak ada. Pasang disk USB atau sambungkan folder jaringannya, atau buat folder itu dulu.`,
    );
  }
}

/**
 * Copies a finished archive to another folder: written under a temporary name, synced, read back, renamed. What the archive
 * before in that folder has already is shared with it.
 * @throws BackupError, or errors of the disk; nothing is left behind then
 */
export async function copyToSecondFolder(
  backupsDir: string,
  folder: string,
  { name, previous, link }: { name: string; previous: PreviousArchive | null; link?: LinkFile },
  throttle: Throttle,
): Promise<void> {
  requireFolder(folder);
  if (realpathSync(folder) === realpathSync(backupsDir)) {
    throw new BackupError(
      'Folder cadangan kedua sama dengan folder cadangan itu sendiri. Minta pengelola server memilih folder di disk lain.',
    );
  }
  const source = join(backupsDir, name);
  const { format: _format, size_bytes: _size, entries, ...about } = readFolderManifest(source);
  const target = join(folder, name);
  const unfinished = `${target}${UNFINISHED_SUFFIX}`;
  const checksShared = about.checked_at === about.created_at;
  const writer = createFolderWriter(unfinished, throttle, { previous, checksShared, ...(link && { link }) });
  try {
    for (const entry of entries) {
      if (await writer.share(entry.name, entry.sha256)) continue;
      await writer.addPieces(entry.name, async (write) => {
        const { sha256 } = await readEntry(source, entry.name, throttle, write);
        if (sha256 !== entry.sha256) throw new BackupError(describeDamagedSource(name, entry.name));
      });
    }
    await writer.finish(about);
    await writer.readBack().catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error;
      throw new BackupError(`Salinan di "${folder}" tidak terbaca kembali seperti aslinya. Ganti disk itu.`);
    });
    renameAndSyncFolder(unfinished, target);
  } catch (error) {
    try {
      writer.abort();
    } catch {
      // The disk was unplugged. The next copy sweeps the leftovers.
    }
    throw error;
  }
}

const describeDamagedSource = (archive: string, entry: string): string =>
  `Cadangan ${archive} rusak (${entry}), jadi tidak disalin. Periksa disk server, lalu tekan Cadangkan sekarang.`;

/** @returns one Indonesian line that says what to do */
export function describeSecondFolderError(error: unknown, folder: string): string {
  if (error instanceof BackupError) return error.message;
  const code = errorCodeOrText(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `Disk dari "${folder}" penuh. Kosongkan sebagian isinya; salinan berikutnya dibuat sendiri.`;
  if (code === 'EROFS') {
    return `Salinan ke "${folder}" gagal (EROFS): server tidak boleh menulis di situ. Buka kunci disk itu; bila server berjalan sebagai layanan, ulangi "service install".`;
  }
  return `Salinan ke "${folder}" gagal (${code}). Periksa apakah disk itu terpasang dan boleh ditulis.`;
}
