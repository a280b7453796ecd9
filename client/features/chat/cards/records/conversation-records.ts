import { queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { isRecordOverdue } from '#client/features/tax-records/display/due-date.tsx';
import { ADMIN_RECORDS_MAX } from '#shared/limits.ts';
import { type CardRecord, type CardScope, toCardRecord } from './card-record.ts';

/** Old enough to be loaded again where no list of records is on the screen, which loads them anew each time. */
const STALE_MS = 300_000;

/** The records of the user of a conversation: all of them, or the first 1,000. */
export async function fetchConversationRecords(
  scope: CardScope,
  userId: string,
  signal?: AbortSignal,
): Promise<CardRecord[]> {
  const { data } =
    scope === 'own'
      ? await api.get('/tax-records', { signal })
      : await api.get('/admin/tax-records', {
          query: { user_id: userId, sort: '-year', limit: ADMIN_RECORDS_MAX },
          signal,
        });
  return data.map(toCardRecord);
}

export const conversationRecordsKey = (scope: CardScope, userId: string) => ['conversation-records', scope, userId];

export const conversationRecordsQuery = (scope: CardScope, userId: string) =>
  queryOptions({
    queryKey: conversationRecordsKey(scope, userId),
    queryFn: ({ signal }) => fetchConversationRecords(scope, userId, signal),
    staleTime: STALE_MS,
  });

/** Overdue records first, then what else is not paid, then the paid ones; each newest year first. @param date 'yyyy-mm-dd' */
export function sortForChoice(records: readonly CardRecord[], date: string): CardRecord[] {
  const rank = (record: CardRecord): number => {
    if (isRecordOverdue(record, date)) return 0;
    return record.status === 'lunas' ? 2 : 1;
  };
  return records.toSorted((a, b) => rank(a) - rank(b) || b.year - a.year || a.address.localeCompare(b.address));
}
