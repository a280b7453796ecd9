import { showDateTime } from '#client/lib/format.ts';
import type { BackupStatus, RunningCopy } from '#shared/api/system.ts';

/** A copy that lags for less may be well again soon: a disk was changed, or a cable moved. */
const STOPPED_MAX_SECONDS = 5 * 60;

/** The state of a stopped copy, and what follows from it. */
export type StoppedCopy = { title: string; text: string };

/** @returns null for a copy that is not stopped */
export function describeStoppedCopy({ at, message, state, reason }: RunningCopy): StoppedCopy | null {
  if (state !== 'stopped' || message === null) return null;
  if (reason === 'moved on') {
    return {
      title: message,
      text: 'Komputer ini tidak menulis lagi ke salinan itu. Yang harus dilakukan ada di panduan, bab Salinan berjalan.',
    };
  }
  // After a start a missing disk says nothing of the copy that may be on it.
  return at === null
    ? {
        title: 'Salinan berjalan tidak dibuat',
        text: `${message} Bila komputer ini rusak sekarang, yang belum ada di luar komputer ini hilang.`,
      }
    : {
        title: `Salinan berjalan berhenti sejak ${showDateTime(at)}`,
        text: `${message} Bila komputer ini rusak sekarang, yang ditulis sejak itu hilang.`,
      };
}

/**
 * The lasting line of admins about the running copy, or null (docs/requirements.md R-SYS-38). How far the copy is behind
 * tells how long it has been stopped: until then it was at most a minute behind. A copy elsewhere is told at once.
 */
export function findCopyWarning({ running_copy: copy }: BackupStatus): string | null {
  const stopped = copy && describeStoppedCopy(copy);
  if (!copy || !stopped) return null;
  if (copy.reason === 'moved on') return stopped.title;
  const isLate = copy.behind_seconds === null || copy.behind_seconds >= STOPPED_MAX_SECONDS;
  return isLate ? `${stopped.title}: ${stopped.text}` : null;
}
