import { IconClock } from '@tabler/icons-react';
import classes from './list.module.css';
import { useClock } from './use-clock.ts';
import { waitedMinutes, waitingLevel, waitingText, waitingWords } from './waiting.ts';

/** How long somebody has waited for an answer; goes on counting by itself. */
export function WaitingTime({ since }: { since: string }) {
  const minutes = useClock((nowMs) => waitedMinutes(since, nowMs));
  const words = waitingWords(minutes);
  return (
    <span className={classes['waiting']} data-level={waitingLevel(minutes)} title={words}>
      <IconClock size={13} stroke={2.2} aria-hidden />
      <span aria-hidden>{waitingText(minutes)}</span>
      <span className={classes['unseen']}>{words}</span>
    </span>
  );
}
