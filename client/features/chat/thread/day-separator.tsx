import { chatDayLabel } from '#shared/domain/date-labels.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import classes from './thread.module.css';

/** 'Hari ini', 'Kemarin', the weekday, or the date (specification 9). */
export function DaySeparator({ atMs, nowMs }: { atMs: number; nowMs: number }) {
  return (
    <div className={classes['day']}>
      <span>{chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE)}</span>
    </div>
  );
}
