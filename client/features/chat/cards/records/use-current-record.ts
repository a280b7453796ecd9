import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useCallback, useEffect, useRef } from 'react';
import { recordKeys, fetchRecord } from '#client/features/tax-records/api.ts';
import { connectionNumberAtom, socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import type { RecordCard } from '#shared/api/tax-records/record-card.ts';
import type { RecordChange } from '#shared/events.ts';
import { CHAT_POLL_LIST_MS } from '#shared/limits.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { onSessionChange } from '#client/lib/session/session.ts';
import { type CardRecord, type CardScope, toCardRecord, useCardScope } from './card-record.ts';
import { fetchConversationRecords } from './conversation-records.ts';

/** Records that change within this time are read together. Too short to be noticed. */
const COLLECT_MS = 60;
/** From here on one call for all records of the user costs less than one for each. */
const LIST_FROM = 4;

type Wanted = {
  answer: Promise<CardRecord | null>;
  resolve: (record: CardRecord | null | Promise<CardRecord | null>) => void;
};
type Group = { scope: CardScope; userId: string; wanted: Map<string, Wanted> };

const groups = new Map<string, Group>();

// After sign-out nothing is asked for that user any more.
onSessionChange(() => {
  for (const { wanted } of groups.values()) wanted.clear();
  groups.clear();
});

async function readOne(scope: CardScope, id: string): Promise<CardRecord | null> {
  try {
    return toCardRecord(await fetchRecord(scope, id));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

async function readGroup({ scope, userId, wanted }: Group): Promise<void> {
  let listed = new Map<string, CardRecord>();
  if (wanted.size >= LIST_FROM) {
    // Without the list each record is read alone, and says itself what is wrong.
    const records = await fetchConversationRecords(scope, userId).catch(() => []);
    listed = new Map(records.map((record) => [record.id, record]));
  }
  // A record that is not in the list was deleted, or stands beyond its end.
  for (const [id, { resolve }] of wanted) resolve(listed.get(id) ?? readOne(scope, id));
}

/**
 * Reads a record of the user of a conversation as it is now; null when it was deleted. Requests of the same moment share their
 * calls, however many cards ask, and each answer is at least as new as its request (R-CARD-11).
 */
function readCardRecord(scope: CardScope, userId: string, id: string): Promise<CardRecord | null> {
  const key = `${scope} ${userId}`;
  let group = groups.get(key);
  if (!group) {
    const created: Group = { scope, userId, wanted: new Map() };
    group = created;
    groups.set(key, created);
    setTimeout(() => {
      groups.delete(key);
      void readGroup(created);
    }, COLLECT_MS);
  }
  const known = group.wanted.get(id);
  if (known) return known.answer;
  let resolve: Wanted['resolve'] = () => {};
  const answer = new Promise<CardRecord | null>((settle) => {
    resolve = settle;
  });
  group.wanted.set(id, { answer, resolve });
  return answer;
}

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
