import { join } from 'node:path';
import { readStoredStatus } from '#server/operations/backups/status-file.ts';
import type { Settings } from '#server/settings.ts';
import { DAY_MS } from '#shared/durations.ts';
import type { Finding } from '../finding.ts';

const COPY_MAX_AGE_MS = 7 * DAY_MS;

/** A server in the internet can be taken over or encrypted: what is only on its own disk is then lost. */
export function checkBackupsOutside({ dataDir, backup }: Settings, nowMs: number): Finding {
  if (backup.everyHours === 0) {
    return { what: 'cadangan otomatis mati (BACKUP_EVERY_HOURS=0)', todo: 'Hapus setelan itu.' };
  }
  if (backup.secondDir === null) {
    return {
      what: 'tidak ada cadangan di luar komputer ini',
      todo: 'Pasang disk USB dan isi BACKUP_SECOND_DIR, dan simpan satu salinan di tempat lain.',
    };
  }
  const copiedAt = readStoredStatus(join(dataDir, 'backups'))?.second.last_at ?? null;
  if (copiedAt === null || nowMs - Date.parse(copiedAt) > COPY_MAX_AGE_MS) {
    const last = copiedAt === null ? 'belum pernah' : `terakhir ${copiedAt.slice(0, 10)}`;
    return {
      what: `cadangan tersalin ke "${backup.secondDir}": ${last}`,
      todo: 'Pasang disknya, jalankan server, lalu tekan Cadangkan sekarang di Pengaturan.',
    };
  }
  return { what: `cadangan tersalin ke "${backup.secondDir}" pada ${copiedAt.slice(0, 10)}` };
}
