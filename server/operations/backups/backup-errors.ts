import { formatBytes } from '#shared/domain/format-bytes.ts';
import { DataFolderError } from '#server/db/data-folder/data-folder.ts';
import { errorCode } from '#server/files/atomic.ts';

/** A backup or a restore failed. The message is shown to the admin and says what to do. */
export class BackupError extends Error {}

export const notEnoughSpaceError = (neededBytes: number, freeBytes: number, advice: string): BackupError =>
  new BackupError(
    `Ruang disk tidak cukup: perlu ${formatBytes(neededBytes)}, yang boleh dipakai ${formatBytes(freeBytes)}. ${advice}`,
  );

/**
 * @param doing the operation that failed
 * @returns one Indonesian line that says what to do
 */
export function describeBackupError(error: unknown, doing: 'mencadangkan' | 'memulihkan' = 'mencadangkan'): string {
  if (error instanceof BackupError || error instanceof DataFolderError) return error.message;
  const code = errorCode(error) ?? '';
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL') {
    return `Disk penuh saat ${doing}. Kosongkan ruang disk, lalu ulangi.`;
  }
  if (['EACCES', 'EPERM', 'EROFS', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].includes(code)) {
    return `Ada berkas yang tidak boleh dibaca atau ditulis saat ${doing} (${code}). Periksa hak folder data untuk pengguna yang menjalankan program ini.`;
  }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return describeCorruptDatabase(code);
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR')) {
    return `Disk tidak dapat dibaca atau ditulis (${code}). Periksa disk; salin cadangan terakhir ke disk lain sekarang juga.`;
  }
  const reason = code || (error instanceof Error ? error.message : String(error));
  return `Gagal ${doing} (${reason}). Coba lagi; bila terulang, lihat catatan di folder logs.`;
}

export const describeCorruptDatabase = (what: string): string =>
  `Database rusak (${what}). Hentikan server, lalu pulihkan cadangan terakhir dengan perintah "restore".`;
