import { isPlainObject } from '#client/lib/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '#client/lib/safe-storage.ts';
import { openTabChannel } from './tab-channel.ts';

/** How long the claims of several tabs for one message are collected. */
const CLAIM_WINDOW_MS = 60;
const REMEMBERED_MAX = 200;
const READING_TTL_MS = 10_000;
const READING_RENEW_MS = 4000;

type Claim = { id: number; tab: string };

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Not written by this code; treated like no value.
    return null;
  }
}

/**
 * Leader election per message, so that one tab notifies however many are open. The first claim wins; among claims that
 * cross, the lowest tab id wins. A focused tab that shows the conversation announces it, and then no tab notifies. This
 * needs no secure context.
 */
export function createTabClaims(currentUserId: string, tabId: string) {
  const notifiedKey = `pbb-chat-told:${currentUserId}`;
  const readingKey = `pbb-chat-reading:${currentUserId}`;
  const claimsByMessageId = new Map<number, string[]>();
  let renewTimer: ReturnType<typeof setInterval> | undefined;

  const channel = openTabChannel(`pbb-chat-bids:${currentUserId}`, (data) => {
    if (!isPlainObject(data) || typeof data['id'] !== 'number' || typeof data['tab'] !== 'string') return;
    claimsByMessageId.set(data['id'], [...(claimsByMessageId.get(data['id']) ?? []), data['tab']]);
    const oldest = claimsByMessageId.keys().next().value;
    if (claimsByMessageId.size > REMEMBERED_MAX && oldest !== undefined) claimsByMessageId.delete(oldest);
  });

  function readNotifiedIds(): number[] {
    const value = parseJson(readStored(notifiedKey));
    return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
  }
  const isClaimed = (id: number): boolean => claimsByMessageId.has(id) || readNotifiedIds().includes(id);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const markNotified = (id: number): void =>
    writeStored(notifiedKey, JSON.stringify([...readNotifiedIds(), id].slice(-REMEMBERED_MAX)));

  function writeReading(userId: string): void {
    writeStored(readingKey, JSON.stringify({ userId, tab: tabId, until: Date.now() + READING_TTL_MS }));
  }

  function setReading(userId: string | null): void {
    clearInterval(renewTimer);
    if (userId !== null) {
      writeReading(userId);
      renewTimer = setInterval(() => writeReading(userId), READING_RENEW_MS);
      return;
    }
    const current = parseJson(readStored(readingKey));
    if (isPlainObject(current) && current['tab'] === tabId) removeStored(readingKey);
  }

  return {
    /** @returns whether this tab notifies; tabs with a lower `waitMs` claim first */
    async claim(id: number, waitMs: number): Promise<boolean> {
      if (isClaimed(id)) return false;
      await wait(waitMs);
      if (isClaimed(id)) return false;
      channel.post({ id, tab: tabId } satisfies Claim);
      await wait(CLAIM_WINDOW_MS);
      if (claimsByMessageId.get(id)?.some((other) => other < tabId)) return false;
      if (readNotifiedIds().includes(id)) return false;
      markNotified(id);
      return true;
    },
    /** No tab has to notify of this message any more. */
    settle(id: number): void {
      channel.post({ id, tab: tabId } satisfies Claim);
      markNotified(id);
    },
    /** The conversation that is open and visible in this tab, or null. */
    setReading,
    isBeingRead(userId: string): boolean {
      const current = parseJson(readStored(readingKey));
      if (!isPlainObject(current) || current['userId'] !== userId) return false;
      return typeof current['until'] === 'number' && current['until'] > Date.now();
    },
    stop(): void {
      setReading(null);
      channel.close();
    },
  };
}
export type TabClaims = ReturnType<typeof createTabClaims>;
