import { ApiError } from '#client/lib/api-error.ts';
import { fetchRecord } from '#client/features/tax-records/api.ts';
import { onSessionChange } from '#client/lib/session.ts';
import { type CardRecord, type CardScope, toCardRecord } from './card-record.ts';
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
export function readCardRecord(scope: CardScope, userId: string, id: string): Promise<CardRecord | null> {
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
