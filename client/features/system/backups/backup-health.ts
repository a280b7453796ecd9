import type { BackupStatus } from '#shared/api/system.ts';
import { findCopyWarning } from './copy-health.ts';
import { formatTimeAgo } from '../format-relative-time.ts';
import { HOUR_MS } from '#shared/durations.ts';
import { OUTSIDE_BACKUP_MAX_AGE_MS } from '#shared/limits.ts';

const MIN_AGE_LIMIT_MS = 24 * HOUR_MS;
const MISSED_BACKUPS_LIMIT = 3;

/** A problem with the backups. `key` identifies it, so that a dismissed warning stays dismissed. */
export type BackupIssue = { key: string; message: string; hint: string };

/** A clock that was set makes no backup old. */
const ageOfLast = ({ last, last_age_ms: ageMs, now }: BackupStatus): number | null =>
  last && (ageMs ?? Date.parse(now) - Date.parse(last.created_at));

/** A problem with the backups of PostgreSQL, which the operator makes with other tools. */
function findOutsideIssue(status: BackupStatus): BackupIssue | null {
  const { failure, last } = status;
  if (failure) {
    const hint = `${failure.message} Beri tahu pengelola server.`;
    return { key: `failed ${failure.at}`, message: 'Pencadangan gagal', hint };
  }
  if (!last) {
    return {
      key: 'none',
      message: 'Belum ada cadangan',
      hint: 'Pengelola server memasang pencadangan PostgreSQL setiap hari, menurut panduan.',
    };
  }
  if ((ageOfLast(status) ?? 0) <= OUTSIDE_BACKUP_MAX_AGE_MS) return null;
  const ago = formatTimeAgo(last.created_at, Date.parse(status.now)).toLowerCase();
  return {
    key: `old ${last.created_at}`,
    message: 'Cadangan sudah terlalu lama',
    hint: `Cadangan terakhir dibuat ${ago}. Seharusnya dibuat setiap hari di PostgreSQL. Beri tahu pengelola server.`,
  };
}

/** The most serious problem with the backups, or null (docs/requirements.md R-SYS-15). */
export function findBackupIssue(status: BackupStatus): BackupIssue | null {
  if (status.engine === 'postgres') return findOutsideIssue(status);
  const { failure, last, second_folder: folder, every_hours: hours } = status;
  // Backups are dated by the server's clock, and the browser's may be days off.
  const nowMs = Date.parse(status.now);
  const lastBackupText = last
    ? `Cadangan terakhir dibuat ${formatTimeAgo(last.created_at, nowMs).toLowerCase()}.`
    : 'Belum ada cadangan.';
  if (failure)
    return { key: `failed ${failure.at}`, message: 'Pencadangan gagal', hint: `${failure.message} ${lastBackupText}` };
  const ageLimitMs = Math.max(MIN_AGE_LIMIT_MS, MISSED_BACKUPS_LIMIT * hours * HOUR_MS);
  const lastAgeMs = ageOfLast(status);
  if (hours > 0 && last && lastAgeMs !== null && lastAgeMs > ageLimitMs) {
    return {
      key: `old ${last.created_at}`,
      message: 'Cadangan sudah terlalu lama',
      hint: `${lastBackupText} Seharusnya dibuat otomatis setiap ${hours} jam. Tekan Cadangkan sekarang di Pengaturan.`,
    };
  }
  // The lasting line about the running copy names the same disk.
  if (folder?.failure && findCopyWarning(status) === null) {
    return {
      key: `second ${folder.last_at ?? ''} ${folder.failure}`,
      message: 'Cadangan tidak tersalin ke folder kedua',
      hint: folder.failure,
    };
  }
  return null;
}
