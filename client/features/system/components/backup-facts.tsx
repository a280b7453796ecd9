import { formatNumber, showDateTime } from '#client/lib/format.ts';
import type { BackupStatus } from '#shared/api/system.ts';
import classes from '../settings.module.css';
import { sizeWords } from '../size-words.ts';
import { agoWords, untilWords } from '../time-words.ts';
import { Fact, Moment } from './fact.tsx';
import { LastBackup } from './last-backup.tsx';

type Props = { status: BackupStatus; nowMs: number };

function Automatic({ status: { every_hours: hours, next_at: nextAt }, nowMs }: Props) {
  if (hours === 0) {
    return (
      <Fact
        label="Cadangan otomatis"
        note="Hanya tombol di atas yang membuat cadangan. Nyalakan dengan setelan BACKUP_EVERY_HOURS di server."
      >
        <span className={classes['bad']}>Mati</span>
      </Fact>
    );
  }
  const next = nextAt && `Berikutnya: ${untilWords(nextAt, nowMs).toLowerCase()} (${showDateTime(nextAt)})`;
  return (
    <Fact label="Cadangan otomatis" note={next}>
      Setiap {formatNumber(hours)} jam
    </Fact>
  );
}

function SecondFolder({ status: { second_folder: folder }, nowMs }: Props) {
  if (!folder) {
    return (
      <Fact
        label="Folder kedua"
        note="Salin otomatis ke disk USB atau komputer lain dengan setelan BACKUP_SECOND_DIR di server, agar data selamat bila disk ini rusak."
      >
        Tidak ada
      </Fact>
    );
  }
  const { path, last_at: lastAt, failure } = folder;
  const look = failure ? 'bad' : 'good';
  return (
    <Fact label="Folder kedua" note={<span className={classes['break']}>{path}</span>}>
      {lastAt ? (
        <span className={classes[look]}>
          <span>
            Tersalin <Moment iso={lastAt} words={agoWords(lastAt, nowMs).toLowerCase()} />
          </span>
        </span>
      ) : (
        <span className={failure ? classes['bad'] : undefined}>Belum pernah tersalin</span>
      )}
    </Fact>
  );
}

/** How backups are doing. */
export function BackupFacts({ status, nowMs }: Props) {
  return (
    <dl className={classes['lines']}>
      <LastBackup status={status} nowMs={nowMs} />
      <Automatic status={status} nowMs={nowMs} />
      <Fact label="Ukuran semua cadangan">{sizeWords(status.total_bytes)}</Fact>
      <SecondFolder status={status} nowMs={nowMs} />
    </dl>
  );
}
