import type { ReactNode } from 'react';
import { showDateTime } from '#client/lib/format.ts';
import classes from './settings.module.css';

type Props = { label: string; children: ReactNode; note?: ReactNode };

/** One line of a description list: label, value, and a note in small letters. */
export function InfoRow({ label, children, note }: Props) {
  return (
    <div className={classes['line']}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note ? <span className={classes['note']}>{note}</span> : null}
      </dd>
    </div>
  );
}

/** A relative time with the exact time as its tooltip. */
export function RelativeTime({ iso, text }: { iso: string; text: string }) {
  return (
    <time dateTime={iso} title={showDateTime(iso)}>
      {text}
    </time>
  );
}
