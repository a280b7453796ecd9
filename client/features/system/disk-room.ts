import type { SystemInfo } from '#shared/api/system.ts';
import { sizeWords } from './size-words.ts';

const LEAST_FREE_BYTES = 1_000_000_000;
/** A backup makes a copy of the database before it packs it, beside all the images. */
const needOf = ({ database, proofs }: Pick<SystemInfo, 'database' | 'proofs'>): number =>
  2 * database.size_bytes + proofs.size_bytes;

/** What is wrong with the room on the disk and what to do about it; null while there is enough. */
export function roomWarning(info: Pick<SystemInfo, 'disk' | 'database' | 'proofs'>): string | null {
  if (!info.disk) return null;
  const needBytes = needOf(info);
  if (info.disk.free_bytes >= Math.max(LEAST_FREE_BYTES, 2 * needBytes)) return null;
  return info.disk.free_bytes < needBytes
    ? `Tidak cukup untuk mencadangkan, yang perlu sekitar ${sizeWords(needBytes)}. Kosongkan disk sekarang.`
    : `Hampir habis: setiap pencadangan perlu sekitar ${sizeWords(needBytes)}. Kosongkan disk sebelum penuh.`;
}
