import {
  IconAlertTriangle,
  IconClock,
  IconClockExclamation,
  IconEye,
  IconNotes,
  IconPencil,
} from '@tabler/icons-react';
import { MINUTE_MS } from '#shared/durations.ts';
import { WAIT_AMBER_MS, WAIT_RED_MS } from '#shared/limits.ts';
import classes from './list.module.css';
import { useTimeSelector } from './use-time-selector.ts';

/** The time that a user has waited for an answer: whole minutes, a level for the colour, and texts. */

const WARNING_AFTER_MINUTES = WAIT_AMBER_MS / MINUTE_MS;
const CRITICAL_AFTER_MINUTES = WAIT_RED_MS / MINUTE_MS;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

type WaitingLevel = 'fresh' | 'warning' | 'critical';

/** Whole minutes; never negative, even if this clock is behind the server's. */
export function waitedMinutes(since: string, nowMs: number): number {
  return Math.max(0, Math.floor((nowMs - Date.parse(since)) / MINUTE_MS));
}

export function waitingLevel(minutes: number): WaitingLevel {
  if (minutes >= CRITICAL_AFTER_MINUTES) return 'critical';
  return minutes >= WARNING_AFTER_MINUTES ? 'warning' : 'fresh';
}

/** Short, for the list: '<1 mnt', '4 mnt', '1 j 5 mnt', '2 hari'. */
export function formatWaitingShort(minutes: number): string {
  if (minutes < 1) return '<1 mnt';
  if (minutes < HOUR_MINUTES) return `${minutes} mnt`;
  if (minutes >= DAY_MINUTES) return `${Math.floor(minutes / DAY_MINUTES)} hari`;
  const rest = minutes % HOUR_MINUTES;
  return `${Math.floor(minutes / HOUR_MINUTES)} j${rest > 0 ? ` ${rest} mnt` : ''}`;
}

/** Texts for the meaning of the colour. */
const levelTexts: Record<WaitingLevel, string> = { fresh: '', warning: ', mulai lama', critical: ', sudah lama' };

/** In full, for screen readers and tooltips. */
export function formatWaitingLong(minutes: number): string {
  if (minutes < 1) return 'Menunggu balasan kurang dari satu menit';
  const time = formatWaitingShort(minutes).replace(/ j\b/, ' jam').replace('mnt', 'menit');
  return `Menunggu balasan ${time}${levelTexts[waitingLevel(minutes)]}`;
}

/** Each level has its own icon, so that it does not depend on colour alone. */
const waitingIcons: Record<WaitingLevel, typeof IconClock> = {
  fresh: IconClock,
  warning: IconClockExclamation,
  critical: IconAlertTriangle,
};

/** The time that a user has waited for an answer; counts on by itself. */
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
    <span className={classes['noteCount']} title={`${count} catatan`}>
      <IconNotes size={14} stroke={2} aria-hidden />
      <span aria-hidden>{count}</span>
      <span className={classes['unseen']}>{count} catatan</span>
    </span>
  );
}
