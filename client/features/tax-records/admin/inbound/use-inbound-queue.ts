import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ApiError } from '#client/lib/api/api-error.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { recordQuery } from '../../api.ts';
import { isRecordId } from '../../scope.ts';
import { inboundQuery } from './inbound-api.ts';

/** The record that is looked at, in the URL: a reload keeps the place, and a record's page leads here. */
export const RECORD_PARAM = 'data';

/**
 * The order of this visit: what is known keeps its place, what is new stands at the end, and what others have checked leaves.
 * @param kept ids that stay although they no longer wait: those checked here, and the one that is looked at
 */
export function mergeOrder(order: readonly string[], waiting: readonly string[], kept: ReadonlySet<string>): string[] {
  const waits = new Set(waiting);
  const known = order.filter((id) => waits.has(id) || kept.has(id));
  return [...known, ...waiting.filter((id) => !known.includes(id))];
}

const isSameOrder = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((id, index) => id === b[index]);

/** The reports that wait for a check, in the order of this visit, and the place in it. */
export function useInboundQueue() {
  const [params, setParams] = useSearchParams();
  const { data, error, isFetching, refetch } = useQuery(inboundQuery);
  /** Checked in this visit, as the check left them. */
  const [checked, setChecked] = useState<ReadonlyMap<string, TaxRecord>>(new Map());
  const [order, setOrder] = useState<readonly string[]>([]);
  const wantedId = params.get(RECORD_PARAM) ?? '';
  const isIdValid = isRecordId(wantedId);

  // The answer may be older than a check made here.
  const waiting = (data?.data ?? []).filter(({ id, updated_at }) => {
    const own = checked.get(id);
    return !own || own.updated_at < updated_at;
  });
  const waitingIds = waiting.map(({ id }) => id);
  const kept = new Set([...checked.keys(), wantedId].filter((id) => order.includes(id)));
  const merged = data ? mergeOrder(order, waitingIds, kept) : [];
  if (data && !isSameOrder(merged, order)) setOrder(merged);

  const currentId = isIdValid ? wantedId : (waitingIds[0] ?? null);
  const waitingRecord = waiting.find(({ id }) => id === currentId);
  // Not among those that wait: checked meanwhile, or far down in a long queue.
  const other = useQuery({
    ...recordQuery('admin', currentId ?? ''),
    enabled: data !== undefined && currentId !== null && !waitingRecord,
  });
  const isMissing = !waitingRecord && other.error instanceof ApiError && other.error.status === 404;
  const record = waitingRecord ?? (isMissing ? undefined : (other.data ?? checked.get(currentId ?? '')));

  function goTo(id: string | null, { replace = true } = {}): void {
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        if (id === null) next.delete(RECORD_PARAM);
        else next.set(RECORD_PARAM, id);
        return next;
      },
      { replace, preventScrollReset: true },
    );
  }

  // From now on it stays, whatever comes or goes before it.
  const firstId = isIdValid ? null : currentId;
  useEffect(() => {
    if (firstId !== null) goTo(firstId);
  });

  const index = currentId === null ? -1 : merged.indexOf(currentId);
  const waits = new Set(waitingIds);
  const left = merged.filter((id) => waits.has(id));
  /** The next one that waits: after the current one, else from the beginning. */
  const following = [...merged.slice(index + 1), ...merged.slice(0, Math.max(index, 0))].filter((id) => waits.has(id));
  const notLoaded = data ? data.total - data.data.length : 0;

  return {
    isLoading: !data && !error,
    /** A failed load without an older answer to show. */
    error: data ? null : error,
    isFetching,
    refetch,
    record,
    isMissing,
    /** The load of a record outside the queue failed. */
    recordError: record || isMissing ? null : other.error,
    retryRecord: () => void other.refetch(),
    isEmpty: data !== undefined && currentId === null,
    /** Whether the record waits for a check. */
    isWaiting: waitingRecord !== undefined || record?.verification.state === 'pending',
    /** Among those that wait: 1 for the first, 0 for a record that does not wait. */
    position: currentId === null ? 0 : left.indexOf(currentId) + 1,
    total: left.length + notLoaded,
    nextId: following[0] ?? null,
    previousId: merged[index - 1] ?? null,
    /** Those that wait and are loaded, in the order of this visit. */
    waiting: left.flatMap((id) => waiting.find((item) => item.id === id) ?? []),
    /** The next ones to be looked at, for their photos. */
    upcoming: following.slice(0, 2).flatMap((id) => waiting.find((item) => item.id === id) ?? []),
    goTo,
    /** Remembers a check made here, so that the way back leads to it. */
    remember: (stored: TaxRecord) => setChecked((map) => new Map(map).set(stored.id, stored)),
    forget: (id: string) =>
      setChecked((map) => {
        const next = new Map(map);
        next.delete(id);
        return next;
      }),
    isOwnCheck: (id: string) => checked.has(id),
  };
}
export type InboundQueue = ReturnType<typeof useInboundQueue>;
