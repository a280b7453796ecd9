import { useState } from 'react';
import type { Failure } from '../../feedback/form-failure.tsx';

type Refused<Row> = { row: Row; index: number; failure: Failure };

/**
 * The rows that wait for a decision: without those decided here, which the list may still have, and with the one whose
 * decision was refused, which the list may have lost meanwhile, because the refusal stands there.
 */
export function useDecidedRows<Row extends { id: string }>(rows: readonly Row[]) {
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Refused<Row> | null>(null);

  // The list has been loaded since: a row that comes back waits again.
  const known = [...decided].filter((id) => rows.some((row) => row.id === id));
  if (known.length < decided.size) setDecided(new Set(known));

  const waiting = rows.filter(({ id }) => !decided.has(id));
  const isLost = refused !== null && !waiting.some(({ id }) => id === refused.row.id);
  const shown = refused !== null && isLost ? waiting.toSpliced(refused.index, 0, refused.row) : waiting;

  return {
    shown,
    failureOf: (id: string): Failure | null => (refused?.row.id === id ? refused.failure : null),
    decide: (id: string): void => setDecided((before) => new Set(before).add(id)),
    undo: (id: string): void => setDecided((before) => new Set([...before].filter((other) => other !== id))),
    refuse: (row: Row, failure: Failure): void =>
      setRefused({ row, index: shown.findIndex(({ id }) => id === row.id), failure }),
    clearRefusal: (): void => setRefused(null),
  };
}
