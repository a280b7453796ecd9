import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { openTabChannel } from './tab-channel.ts';

/** The time in which the candidates for one message are collected. */
const CANDIDACY_WINDOW_MS = 60;
const REMEMBERED_MAX = 200;
const READING_TTL_MS = 10_000;
const READING_RENEW_MS = 4000;

/** A tab stands for election: it wants to notify of the message with this id. */
type Candidacy = { id: number; tab: string };

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    // Not written by this code; treated like no value.
    return null;
  }
}

/**
 * Leader election per message, so that one tab notifies however many are open. The first candidate wins; among tabs that
 * stand at the same time, the lowest tab id wins. A focused tab that shows the conversation stores that, and then no tab
 * notifies. This needs no secure context.
 */
export function createNotificationElection(currentUserId: string, tabId: string) {
  // The names `told` and `bids` are kept: the stored data and the open tabs of version 1.0.0 use them.
  const notifiedKey = `pbb-chat-told:${currentUserId}`;
  const readingKey = `pbb-chat-reading:${currentUserId}`;
  const candidatesByMessageId = new Map<number, string[]>();
  let renewTimer: ReturnType<typeof setInterval> | undefined;
  let isStopped = false;

  const channel = openTabChannel(`pbb-chat-bids:${currentUserId}`, (data) => {
    if (!isPlainObject(data) || typeof data['id'] !== 'number' || typeof data['tab'] !== 'string') return;
    candidatesByMessageId.set(data['id'], [...(candidatesByMessageId.get(data['id']) ?? []), data['tab']]);
    const oldest = candidatesByMessageId.keys().next().value;
    if (candidatesByMessageId.size > REMEMBERED_MAX && oldest !== undefined) candidatesByMessageId.delete(oldest);
  });

  function readNotifiedIds(): number[] {
    const value = parseJson(readStored(notifiedKey));
    return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
  }
  const isTaken = (id: number): boolean => candidatesByMessageId.has(id) || readNotifiedIds().includes(id);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  function markNotified(id: number): void {
    // An election may still be open when the user signs out, and then nothing may be stored.
    if (isStopped) return;
    writeStored(notifiedKey, JSON.stringify([...readNotifiedIds(), id].slice(-REMEMBERED_MAX)));
  }

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
    /** @returns whether this tab was elected and notifies; tabs with a lower `waitMs` stand first */
    async elect(id: number, waitMs: number): Promise<boolean> {
      if (isTaken(id)) return false;
      await wait(waitMs);
      if (isTaken(id)) return false;
      channel.post({ id, tab: tabId } satisfies Candidacy);
      await wait(CANDIDACY_WINDOW_MS);
      // The user has signed out meanwhile.
      if (isStopped) return false;
      if (candidatesByMessageId.get(id)?.some((other) => other < tabId)) return false;
      if (readNotifiedIds().includes(id)) return false;
      markNotified(id);
      return true;
    },
    /** No tab has to notify of this message any more. */
    settle(id: number): void {
      channel.post({ id, tab: tabId } satisfies Candidacy);
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
      isStopped = true;
      setReading(null);
      channel.close();
    },
  };
}
export type NotificationElection = ReturnType<typeof createNotificationElection>;
