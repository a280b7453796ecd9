import type { ReactNode } from 'react';
import { showDateTime } from '#client/lib/format.ts';
import classes from './settings.module.css';

type Props = { label: string; children: ReactNode; note?: ReactNode };

/** One line of a list of facts: what, how much, and in small letters what more there is to say. */
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

/** A moment in rough words; whoever points at it sees it exactly. */
export function RelativeTime({ iso, words: text }: { iso: string; words: string }) {
  return (
    <time dateTime={iso} title={showDateTime(iso)}>
      {text}
    </time>
  );
}
