import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { openTabChannel, type TabChannel } from './tab-channel.ts';

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

/** The part of one tab in the elections of the account that is signed in. */
export type NotificationElection = {
  readonly currentUserId: string;
  readonly tabId: string;
  readonly channel: TabChannel;
  /** The tabs that stand for election, by message id. */
  readonly candidates: Map<number, string[]>;
  renewTimer: ReturnType<typeof setInterval> | undefined;
  isStopped: boolean;
};

// The names `told` and `bids` are kept: the stored data and the open tabs of version 1.0.0 use them.
const notifiedKeyOf = (currentUserId: string): string => `pbb-chat-told:${currentUserId}`;
const readingKeyOf = (currentUserId: string): string => `pbb-chat-reading:${currentUserId}`;

/**
 * Leader election per message, so that one tab notifies however many are open. The first candidate wins; among tabs that
 * stand at the same time, the lowest tab id wins. A focused tab that shows the conversation stores that, and then no tab
 * notifies. This needs no secure context.
 */
export function openNotificationElection(currentUserId: string, tabId: string): NotificationElection {
  const candidates = new Map<number, string[]>();
  const channel = openTabChannel(`pbb-chat-bids:${currentUserId}`, (data) => addCandidate(candidates, data));
  return { currentUserId, tabId, channel, candidates, renewTimer: undefined, isStopped: false };
}

function addCandidate(candidates: Map<number, string[]>, data: unknown): void {
  if (!isPlainObject(data) || typeof data['id'] !== 'number' || typeof data['tab'] !== 'string') return;
  candidates.set(data['id'], [...(candidates.get(data['id']) ?? []), data['tab']]);
  const oldest = candidates.keys().next().value;
  if (candidates.size > REMEMBERED_MAX && oldest !== undefined) candidates.delete(oldest);
}

function readNotifiedIds({ currentUserId }: NotificationElection): number[] {
  const value = parseJson(readStored(notifiedKeyOf(currentUserId)));
  return Array.isArray(value) ? value.filter((id) => typeof id === 'number') : [];
}

function markNotified(election: NotificationElection, id: number): void {
  // An election may still be open when the user signs out, and then nothing may be stored.
  if (election.isStopped) return;
  const ids = [...readNotifiedIds(election), id].slice(-REMEMBERED_MAX);
  writeStored(notifiedKeyOf(election.currentUserId), JSON.stringify(ids));
}

function isTaken(election: NotificationElection, id: number): boolean {
  return election.candidates.has(id) || readNotifiedIds(election).includes(id);
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns whether this tab was elected and notifies; tabs with a lower `waitMs` stand first */
export async function elect(election: NotificationElection, id: number, waitMs: number): Promise<boolean> {
  const { tabId, channel, candidates } = election;
  if (isTaken(election, id)) return false;
  await wait(waitMs);
  if (isTaken(election, id)) return false;
  channel.post({ id, tab: tabId } satisfies Candidacy);
  await wait(CANDIDACY_WINDOW_MS);
  // The user has signed out meanwhile.
  if (election.isStopped) return false;
  if (candidates.get(id)?.some((other) => other < tabId)) return false;
  if (readNotifiedIds(election).includes(id)) return false;
  markNotified(election, id);
  return true;
}

/** No tab has to notify of this message any more. */
export function settle(election: NotificationElection, id: number): void {
  election.channel.post({ id, tab: election.tabId } satisfies Candidacy);
  markNotified(election, id);
}

function writeReading({ currentUserId, tabId }: NotificationElection, userId: string): void {
  const until = Date.now() + READING_TTL_MS;
  writeStored(readingKeyOf(currentUserId), JSON.stringify({ userId, tab: tabId, until }));
}

/** The conversation that is open and visible in this tab, or null. */
export function setReading(election: NotificationElection, userId: string | null): void {
  clearInterval(election.renewTimer);
  if (userId !== null) {
    writeReading(election, userId);
    election.renewTimer = setInterval(() => writeReading(election, userId), READING_RENEW_MS);
    return;
  }
  const key = readingKeyOf(election.currentUserId);
  const current = parseJson(readStored(key));
  if (isPlainObject(current) && current['tab'] === election.tabId) removeStored(key);
}

/** Whether a conversation is open and visible in any tab. */
export function isBeingRead({ currentUserId }: NotificationElection, userId: string): boolean {
  const current = parseJson(readStored(readingKeyOf(currentUserId)));
  if (!isPlainObject(current) || current['userId'] !== userId) return false;
  return typeof current['until'] === 'number' && current['until'] > Date.now();
}

export function stopElection(election: NotificationElection): void {
  election.isStopped = true;
  setReading(election, null);
  election.channel.close();
}
