import { formatNumber, showDateTime } from '#client/lib/format.ts';
import type { BackupStatus } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { formatBytes } from '#shared/domain/format-bytes.ts';
import { formatTimeAgo, formatTimeUntil } from '../format-relative-time.ts';
import { InfoRow, RelativeTime } from '../info-row.tsx';

type Props = { status: BackupStatus; nowMs: number };

function AutomaticBackupRow({ status: { every_hours: hours, next_at: nextAt }, nowMs }: Props) {
  if (hours === 0) {
    return (
      <InfoRow
        label="Cadangan otomatis"
        note="Hanya tombol di atas yang membuat cadangan. Pengelola server dapat menyalakan yang otomatis."
      >
        <span className={classes['bad']}>Mati</span>
      </InfoRow>
    );
  }
  const next = nextAt && `Berikutnya: ${formatTimeUntil(nextAt, nowMs).toLowerCase()} (${showDateTime(nextAt)})`;
  return (
    <InfoRow label="Cadangan otomatis" note={next}>
      Setiap {formatNumber(hours)} jam
    </InfoRow>
  );
}

function SecondFolderRow({ status: { second_folder: folder }, nowMs }: Props) {
  if (!folder) {
    return (
      <InfoRow
        label="Folder kedua"
        note="Hanya ada satu salinan. Pengelola server memasang disk kedua, untuk cadangan dan salinan berjalan, menurut panduan, bab Cadangan."
      >
        <span className={classes['warn']}>Tidak ada</span>
      </InfoRow>
    );
  }
  const { path, last_at: lastAt, failure } = folder;
  const tone = failure ? 'bad' : 'good';
  return (
    <InfoRow label="Folder kedua" note={<span className={classes['break']}>{path}</span>}>
      {lastAt ? (
        <span className={classes[tone]}>
          <span>
            Tersalin <RelativeTime iso={lastAt} text={formatTimeAgo(lastAt, nowMs).toLowerCase()} />
          </span>
        </span>
      ) : (
        <span className={failure ? classes['bad'] : undefined}>Belum pernah tersalin</span>
      )}
    </InfoRow>
  );
}

/** The state of the backups. The system info shows the time of the last one (R-SYS-15). */
export function BackupInfo({ status, nowMs }: Props) {
  return (
    <dl className={classes['lines']}>
      <AutomaticBackupRow status={status} nowMs={nowMs} />
      <InfoRow label="Ukuran semua cadangan">{formatBytes(status.total_bytes)}</InfoRow>
      <SecondFolderRow status={status} nowMs={nowMs} />
    </dl>
  );
}
