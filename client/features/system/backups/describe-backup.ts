import type { BackupStatus } from '#shared/api/system.ts';
import { formatTimeAgo } from '../format-relative-time.ts';

/** The state of backups without a problem, in one line: 'Cadangan: aman, 8 menit lalu' (R-STAT-15). */
export function describeBackup({ engine, last, now, every_hours: hours, second_folder: folder }: BackupStatus): string {
  if (!last) return 'Cadangan: belum ada';
  const ago = formatTimeAgo(last.created_at, Date.parse(now)).toLowerCase().replace(' yang lalu', ' lalu');
  if (hours === 0) return `Cadangan: terakhir ${ago}, cadangan otomatis mati`;
  return folder || engine === 'postgres' ? `Cadangan: aman, ${ago}` : `Cadangan: aman, ${ago}, satu salinan`;
}
