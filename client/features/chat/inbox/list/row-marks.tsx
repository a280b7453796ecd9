import {
  IconAlertTriangle,
  IconClock,
  IconClockExclamation,
  IconEye,
  IconNotes,
  IconPencil,
} from '@tabler/icons-react';
import classes from './row-marks.module.css';
import { useTimeSelector } from './use-time-selector.ts';
import { formatWaitingLong, formatWaitingShort, waitedMinutes, type WaitingLevel, waitingLevel } from './waiting.ts';

/** Each level has its own icon, so that it does not depend on colour alone. */
const waitingIcons: Record<WaitingLevel, typeof IconClock> = {
  fresh: IconClock,
  warning: IconClockExclamation,
  critical: IconAlertTriangle,
};

/** How long a user has waited for an answer; counts on by itself. */
export function WaitingTime({ since }: { since: string }) {
  const minutes = useTimeSelector((nowMs) => waitedMinutes(since, nowMs));
  const longText = formatWaitingLong(minutes);
  const level = waitingLevel(minutes);
  const Icon = waitingIcons[level];
  return (
    <span className={classes['waiting']} data-level={level} title={longText}>
      <Icon size={13} stroke={2.2} aria-hidden />
      <span aria-hidden>
        <span className={classes['word']}>menunggu </span>
        {formatWaitingShort(minutes)}
      </span>
      <span className={classes['unseen']}>{longText}</span>
    </span>
  );
}

/** An eye while colleagues look at a conversation, a pencil while they write. Their names are in words. */
export function ColleagueMarks({ looking, writing }: { looking: string; writing: string }) {
  const mark = writing !== '' ? { Icon: IconPencil, text: `${writing} sedang menulis` } : null;
  const eye = looking !== '' ? { Icon: IconEye, text: `${looking} sedang melihat` } : null;
  return [eye, mark].map((each) =>
    each ? (
      <span key={each.text} className={classes['mark']} title={each.text}>
        <each.Icon size={16} stroke={2} aria-hidden />
        <span className={classes['unseen']}>{each.text}</span>
      </span>
    ) : null,
  );
}

/** @param isForMe a colleague wrote one of them for this admin, who has not opened it yet */
export function NoteCount({ count, isForMe }: { count: number; isForMe: boolean }) {
  if (isForMe) {
    return (
      <span className={classes['forMe']} title="Catatan untuk Anda">
        <IconNotes size={14} stroke={2} aria-hidden />
        untuk Anda
        <span className={classes['unseen']}>: catatan</span>
      </span>
    );
  }
  if (count === 0) return null;
  return (
    <span className={classes['notes']} title={`${count} catatan`}>
      <IconNotes size={14} stroke={2} aria-hidden />
      <span aria-hidden>{count}</span>
      <span className={classes['unseen']}>{count} catatan</span>
    </span>
  );
}
