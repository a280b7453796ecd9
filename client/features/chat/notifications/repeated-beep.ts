import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';

export const REPEAT_INTERVAL_MS = 30_000;
/** The time for which the tabs that want to beep wait for each other. */
const CLAIM_WINDOW_MS = 60;

/** A conversation for which there was an alert, and who handled it then. */
export type Alert = { userId: string; claimantId: string | null };
/** Questions of the alerts about conversations; the chat session answers them. */
export type WaitLookup = {
  /** The admin who has claimed a conversation, or null. */
  claimantOf: (userId: string) => string | null;
  /** The alerts whose user still waits, and that nobody has claimed since. Never rejects: what cannot be asked still waits. */
  findUnhandled: (alerts: readonly Alert[]) => Promise<readonly Alert[]>;
};

export type RepeatedBeepDeps = {
  currentUserId: string;
  tabId: string;
  /** Whether this person wants it; read each time, because another tab may change it. */
  isWanted: () => boolean;
  playBeep: () => Promise<boolean>;
  isBeingRead: (userId: string) => boolean;
  lookup: WaitLookup;
  /** Tabs that can play sound come first. */
  delayMs: () => number;
};

/** The data that all tabs of the browser share. */
type Stored = { alerts: Record<string, string | null>; lastAtMs: number; tab: string };

const nothing: Stored = { alerts: {}, lastAtMs: 0, tab: '' };

function parseStored(text: string | null): Stored {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    if (!isPlainObject(value) || !isPlainObject(value['alerts'])) return nothing;
    const alerts = Object.entries(value['alerts']).map(([id, by]) => [id, typeof by === 'string' ? by : null] as const);
    const { lastAtMs, tab } = value;
    return {
      alerts: Object.fromEntries(alerts),
      lastAtMs: typeof lastAtMs === 'number' ? lastAtMs : 0,
      tab: typeof tab === 'string' ? tab : '',
    };
  } catch {
    // Not written by this code.
    return nothing;
  }
}

/**
 * Repeats the beep every 30 seconds while a conversation for which there was an alert still waits and nobody has taken it, in
 * one tab only (R-INBOX-36). What it knows is stored, so that a reload does not end it.
 */
export function createRepeatedBeep(deps: RepeatedBeepDeps) {
  const key = `pbb-chat-alerts:${deps.currentUserId}`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  const read = (): Stored => parseStored(readStored(key));
  function write(change: Partial<Stored>): void {
    if (isStopped) return;
    const next = { ...read(), ...change };
    if (Object.keys(next.alerts).length === 0) removeStored(key);
    else writeStored(key, JSON.stringify(next));
  }
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  function schedule(): void {
    clearTimeout(timer);
    const { alerts, lastAtMs } = read();
    if (isStopped || Object.keys(alerts).length === 0) return;
    // A clock that was set back must not delay it for hours.
    const inMs = Math.min(lastAtMs + REPEAT_INTERVAL_MS - Date.now(), REPEAT_INTERVAL_MS);
    timer = setTimeout(() => void beepIfDue().finally(schedule), Math.max(inMs, 0));
  }

  const isDue = (): boolean => {
    const sinceMs = Date.now() - read().lastAtMs;
    return sinceMs >= REPEAT_INTERVAL_MS || sinceMs < 0;
  };

  /** @returns whether this tab, and no other, beeps now */
  async function claimTurn(): Promise<boolean> {
    await wait(deps.delayMs());
    if (isStopped || !isDue()) return false;
    write({ lastAtMs: Date.now(), tab: deps.tabId });
    await wait(CLAIM_WINDOW_MS);
    return !isStopped && read().tab === deps.tabId;
  }

  async function beepIfDue(): Promise<void> {
    if (!isDue() || !(await claimTurn())) return;
    const asked = Object.entries(read().alerts).map(([userId, claimantId]) => ({ userId, claimantId }));
    const unhandled = new Set((await deps.lookup.findUnhandled(asked)).map(({ userId }) => userId));
    const handled = asked.filter(({ userId }) => !unhandled.has(userId)).map(({ userId }) => userId);
    // Another tab may have added one meanwhile.
    const left = Object.entries(read().alerts).filter(([userId]) => !handled.includes(userId));
    write({ alerts: deps.isWanted() ? Object.fromEntries(left) : {} });
    if (isStopped || !deps.isWanted()) return;
    if ([...unhandled].some((userId) => !deps.isBeingRead(userId))) await deps.playBeep();
  }

  schedule();
  return {
    /** There was an alert for a new message of this user, in this tab or in another one. */
    alerted(userId: string): void {
      if (!deps.isWanted()) return;
      const claimantId = deps.lookup.claimantOf(userId);
      // A colleague handles it.
      if (claimantId !== null && claimantId !== deps.currentUserId) return;
      write({ alerts: { ...read().alerts, [userId]: claimantId }, lastAtMs: Date.now() });
      schedule();
    },
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
export type RepeatedBeep = ReturnType<typeof createRepeatedBeep>;
