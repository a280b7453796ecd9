import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { recordKeys } from '#client/features/tax-records/api.ts';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { RecordCard } from '#shared/api/record-card.ts';
import type { RecordChange } from '#shared/events.ts';
import { CHAT_POLL_LIST_MS } from '#shared/limits.ts';
import type { CardRecord } from './card-record.ts';
import { readCardRecord } from './record-reader.ts';
import { useCardScope } from './use-card-scope.ts';

/** A card that is drawn again so soon is not read again. */
const STALE_MS = 10_000;

function newerOf(a: CardRecord, b: CardRecord | null | undefined): CardRecord | null {
  // A deletion is final.
  if (b === undefined) return a;
  return b === null || b.updated_at > a.updated_at ? b : a;
}

/**
 * The record of a card as it is now, null when it was deleted. Read when the card comes onto the screen, at each change of the
 * record, after a lost connection, and every 10 s without one (R-CARD-11).
 * @param userId the user of the conversation
 */
export function useCurrentRecord(id: string, now: RecordCard['now'], userId: string): CardRecord | null {
  const queryClient = useQueryClient();
  const scope = useCardScope();
  const isConnected = useAtomValue(socketConnectedAtom);
  const connectionNumber = useAtomValue(connectionNumberAtom);
  const isDeleted = now === null;
  const { data } = useQuery({
    queryKey: recordKeys.card(scope, id),
    queryFn: () => readCardRecord(scope, userId, id),
    enabled: !isDeleted,
    staleTime: STALE_MS,
    refetchInterval: isConnected ? false : CHAT_POLL_LIST_MS,
  });

  const onChange = useCallback(
    (changed: RecordChange) => {
      if (changed.id !== id) return;
      const queryKey = recordKeys.card(scope, id);
      if (changed.change === 'deleted') queryClient.setQueryData(queryKey, null);
      else void queryClient.invalidateQueries({ queryKey });
    },
    [queryClient, scope, id],
  );
  useServerEvent('tax-record:changed', onChange);

  const readConnection = useRef(connectionNumber);
  useEffect(() => {
    if (readConnection.current === connectionNumber) return;
    readConnection.current = connectionNumber;
    void queryClient.invalidateQueries({ queryKey: recordKeys.card(scope, id) });
  }, [queryClient, connectionNumber, scope, id]);

  return isDeleted ? null : newerOf({ id, ...now }, data);
}
