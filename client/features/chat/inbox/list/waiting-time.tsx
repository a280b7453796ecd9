import { IconClock } from '@tabler/icons-react';
import classes from './list.module.css';
import { useTimeSelector } from './use-time-selector.ts';
import { waitedMinutes, waitingLevel, formatWaitingShort, formatWaitingLong } from './waiting.ts';

/** How long somebody has waited for an answer; goes on counting by itself. */
export function WaitingTime({ since }: { since: string }) {
  const minutes = useTimeSelector((nowMs) => waitedMinutes(since, nowMs));
  const longText = formatWaitingLong(minutes);
  return (
    <span className={classes['waiting']} data-level={waitingLevel(minutes)} title={longText}>
      <IconClock size={13} stroke={2.2} aria-hidden />
      <span aria-hidden>{formatWaitingShort(minutes)}</span>
      <span className={classes['unseen']}>{longText}</span>
    </span>
  );
}
