import { showDateTime } from '#client/lib/format.ts';
import type { BackupStatus } from '#shared/api/system.ts';
import { agoWords, untilWords } from '../time-words.ts';
import { Fact, Moment } from './fact.tsx';

type Props = { status: Pick<BackupStatus, 'last' | 'every_hours' | 'next_at'>; nowMs: number };

function noteOf({ last, every_hours: everyHours, next_at: nextAt }: Props['status'], nowMs: number): string {
  const exact = last ? [showDateTime(last.created_at)] : [];
  if (everyHours === 0) return [...exact, 'Cadangan otomatis mati'].join(' · ');
  if (!last && nextAt) return `Yang pertama dibuat otomatis: ${untilWords(nextAt, nowMs).toLowerCase()}`;
  return exact.join('');
}

/** When the office's data was last put aside. */
export function LastBackup({ status, nowMs }: Props) {
  const { last } = status;
  return (
    <Fact label="Cadangan terakhir" note={noteOf(status, nowMs)}>
      {last ? <Moment iso={last.created_at} words={agoWords(last.created_at, nowMs)} /> : 'Belum pernah'}
    </Fact>
  );
}
