import { setImmediate as nextTurn } from 'node:timers/promises';

/** A user's place changes with every answer to somebody before; so many in a second are told once. */
const PUBLISH_INTERVAL_MS = 1000;
/** This many events hold the event loop for a few milliseconds. An answer to the first of thousands moves all others up. */
const PUBLISHED_AT_ONCE = 200;

type Waiting = readonly [userId: string, since: number];

type Deps = {
  /** The users who wait, and since when; the longest wait first. */
  listWaiting: () => Promise<readonly Waiting[]>;
  onlineUserIds: () => string[];
  publish: (userId: string, ahead: number | null) => void;
  /** Whether at most `FEW_WAITING_MAX` wait. */
  areFewWaiting: () => Promise<boolean>;
  /** To all users, when that changes. */
  publishLength: (fewWaiting: boolean) => void;
  onError: (error: unknown) => void;
};

/** @returns how many waits began before each user's own; those that began at once share a place */
function placesOf(waiting: readonly Waiting[]): Map<string, number> {
  const places = new Map<string, number>();
  let ahead = 0;
  for (const [index, [userId, since]] of waiting.entries()) {
    if (since !== waiting[index - 1]?.[1]) ahead = index;
    places.set(userId, ahead);
  }
  return places;
}

/** Tells users who wait when their place in the queue changes, and when they no longer wait. */
export function createQueuePlaces(deps: Deps) {
  /** The place that the screens of each user show: from the last event, or from an answer. */
  const shown = new Map<string, number>();
  /** Whether the length of the queue that users last saw was small; null before the start. */
  let shownFew: boolean | null = null;
  let resting: NodeJS.Timeout | null = null;
  let isPending = false;
  let isPublishing = false;
  let isClosed = false;
  let running = Promise.resolve();

  async function publishChanges(): Promise<void> {
    isPending = false;
    isPublishing = true;
    resting = setTimeout(() => {
      resting = null;
      publishNext();
    }, PUBLISH_INTERVAL_MS).unref();
    try {
      await publishPlaces();
    } catch (error) {
      deps.onError(error);
    }
    isPublishing = false;
    publishNext();
  }

  /** Publishes the changes since, once both the interval and the last events are over. */
  function publishNext(): void {
    if (isPending && !isPublishing && !resting && !isClosed) running = publishChanges();
  }

  async function publishPlaces(): Promise<void> {
    const online = deps.onlineUserIds();
    const waiting = online.length > 0 ? await deps.listWaiting() : [];
    const places = placesOf(waiting);
    const isFew = await deps.areFewWaiting();
    if (shownFew !== null && isFew !== shownFew) deps.publishLength(isFew);
    shownFew = isFew;
    const onlineIds = new Set(online);
    // A user who comes back reads the place again.
    for (const userId of shown.keys()) if (!onlineIds.has(userId)) shown.delete(userId);
    let published = 0;
    for (const userId of online) {
      const ahead = places.get(userId) ?? null;
      if (ahead === (shown.get(userId) ?? null)) continue;
      if (ahead === null) shown.delete(userId);
      else shown.set(userId, ahead);
      deps.publish(userId, ahead);
      published += 1;
      // A change meanwhile is published afterwards.
      if (published % PUBLISHED_AT_ONCE === 0) await nextTurn();
      if (isClosed) return;
    }
  }

  return {
    /** Called before anybody reads the length. */
    async start(): Promise<void> {
      shownFew = await deps.areFewWaiting();
    },
    /** Called after each commit that may have changed who waits. */
    changed(): void {
      if (isPending || isClosed) return;
      isPending = true;
      if (!resting && !isPublishing) setImmediate(publishNext);
    },
    /** A user was told the own place by an answer. A later event is needed only when it differs. */
    wasRead(userId: string, ahead: number | null): void {
      // The place of the last event stays: another tab shows it until the next event.
      if (ahead !== null && !shown.has(userId)) shown.set(userId, ahead);
    },
    /** Resolves when nothing reads any more: the database is closed next. */
    async close(): Promise<void> {
      isClosed = true;
      if (resting) clearTimeout(resting);
      await running;
    },
  };
}
