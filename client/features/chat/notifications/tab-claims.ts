import { isRecord } from '#client/lib/is-record.ts';
import { readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';
import { openTabChannel } from './tab-channel.ts';

/** How long bids of several tabs for one message are gathered. */
const SETTLE_MS = 60;
const REMEMBERED = 200;
const READING_VALID_MS = 10_000;
const READING_RENEW_MS = 4000;

type Bid = { id: number; tab: string };

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Not ours: as good as nothing.
    return null;
  }
}

/**
 * One notification per message, however many tabs are open: tabs bid for a message, the first one heard wins, and of bids that cross
 * the lower name. A tab in front that shows the conversation says so, and then nobody notifies. Needs no secure context.
 */
export function createTabClaims(selfId: string, tabId: string) {
  const toldKey = `pbb-chat-told:${selfId}`;
  const readingKey = `pbb-chat-reading:${selfId}`;
  const heard = new Map<number, string[]>();
  let renew: ReturnType<typeof setInterval> | undefined;

  const channel = openTabChannel(`pbb-chat-bids:${selfId}`, (data) => {
    if (!isRecord(data) || typeof data['id'] !== 'number' || typeof data['tab'] !== 'string') return;
    heard.set(data['id'], [...(heard.get(data['id']) ?? []), data['tab']]);
    const oldest = heard.keys().next().value;
    if (heard.size > REMEMBERED && oldest !== undefined) heard.delete(oldest);
  });

  function toldIds(): number[] {
    const value = parse(readStored(toldKey));
    return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
  }
  const isTaken = (id: number): boolean => heard.has(id) || toldIds().includes(id);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const remember = (id: number): void => writeStored(toldKey, JSON.stringify([...toldIds(), id].slice(-REMEMBERED)));

  function announce(userId: string): void {
    writeStored(readingKey, JSON.stringify({ userId, tab: tabId, until: Date.now() + READING_VALID_MS }));
  }

  function setReading(userId: string | null): void {
    clearInterval(renew);
    if (userId !== null) {
      announce(userId);
      renew = setInterval(() => announce(userId), READING_RENEW_MS);
      return;
    }
    const current = parse(readStored(readingKey));
    if (isRecord(current) && current['tab'] === tabId) removeStored(readingKey);
  }

  return {
    /** @returns whether this tab is the one to tell; better placed tabs wait less before they bid */
    async claim(id: number, waitMs: number): Promise<boolean> {
      if (isTaken(id)) return false;
      await wait(waitMs);
      if (isTaken(id)) return false;
      channel.post({ id, tab: tabId } satisfies Bid);
      await wait(SETTLE_MS);
      if (heard.get(id)?.some((other) => other < tabId)) return false;
      if (toldIds().includes(id)) return false;
      remember(id);
      return true;
    },
    /** Nobody needs to be told of it any more. */
    settle(id: number): void {
      channel.post({ id, tab: tabId } satisfies Bid);
      remember(id);
    },
    /** The conversation that is open in front of somebody's eyes in this tab, or null. */
    setReading,
    isBeingRead(userId: string): boolean {
      const current = parse(readStored(readingKey));
      if (!isRecord(current) || current['userId'] !== userId) return false;
      return typeof current['until'] === 'number' && current['until'] > Date.now();
    },
    stop(): void {
      setReading(null);
      channel.close();
    },
  };
}
export type TabClaims = ReturnType<typeof createTabClaims>;
