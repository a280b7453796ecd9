import type { SystemInfo } from '#shared/api/system.ts';
import { formatBytes } from '../format-bytes.ts';

const MIN_FREE_BYTES = 1_000_000_000;
/** A backup makes a copy of the database before it packs it, beside all the images. */
const requiredBackupBytes = ({ database, proofs }: Pick<SystemInfo, 'database' | 'proofs'>): number =>
  2 * database.size_bytes + proofs.size_bytes;

/** What is wrong with the room on the disk and what to do about it; null while there is enough. */
export function diskSpaceWarning(info: Pick<SystemInfo, 'disk' | 'database' | 'proofs'>): string | null {
  if (!info.disk) return null;
  const requiredBytes = requiredBackupBytes(info);
  if (info.disk.free_bytes >= Math.max(MIN_FREE_BYTES, 2 * requiredBytes)) return null;
  return info.disk.free_bytes < requiredBytes
    ? `Tidak cukup untuk mencadangkan, yang perlu sekitar ${formatBytes(requiredBytes)}. Kosongkan disk sekarang.`
    : `Hampir habis: setiap pencadangan perlu sekitar ${formatBytes(requiredBytes)}. Kosongkan disk sebelum penuh.`;
}
