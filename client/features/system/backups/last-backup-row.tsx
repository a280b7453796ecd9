import { showDateTime } from '#client/lib/format.ts';
import type { BackupStatus } from '#shared/api/system.ts';
import { formatTimeAgo, formatTimeUntil } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';

type Props = { status: Pick<BackupStatus, 'last' | 'every_hours' | 'next_at'>; nowMs: number };

function lastBackupNote({ last, every_hours: everyHours, next_at: nextAt }: Props['status'], nowMs: number): string {
  const exact = last ? [showDateTime(last.created_at)] : [];
  if (everyHours === 0) return [...exact, 'Cadangan otomatis mati'].join(' · ');
  if (!last && nextAt) return `Yang pertama dibuat otomatis: ${formatTimeUntil(nextAt, nowMs).toLowerCase()}`;
  return exact.join('');
}

/** The time of the last backup. */
export function LastBackupRow({ status, nowMs }: Props) {
  const { last } = status;
  return (
    <InfoRow label="Cadangan terakhir" note={lastBackupNote(status, nowMs)}>
      {last ? <RelativeTime iso={last.created_at} text={formatTimeAgo(last.created_at, nowMs)} /> : 'Belum pernah'}
    </InfoRow>
  );
}
