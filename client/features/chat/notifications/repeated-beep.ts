import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { readNotificationPreferences } from './preferences.ts';

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

/** The repeated beep of one tab. */
export type RepeatedBeep = RepeatedBeepDeps & {
  timer: ReturnType<typeof setTimeout> | undefined;
  isStopped: boolean;
};

export type OpenBeepDeps = Omit<RepeatedBeepDeps, 'isWanted'>;

/** The repeated beep as the admin has chosen it in this browser. */
export function openRepeatedBeep(deps: OpenBeepDeps) {
  const beep = startRepeatedBeep({ ...deps, isWanted: wantsRepeatedBeep });
  return {
    alerted: (userId: string): void => addAlert(beep, userId),
    stop: (): void => stopRepeatedBeep(beep),
  };
}

function wantsRepeatedBeep(): boolean {
  const { notifications, chatSound, repeatSound } = readNotificationPreferences();
  return notifications && chatSound && repeatSound;
}

/**
 * Repeats the beep every 30 seconds while a conversation for which there was an alert still waits and nobody has taken it, in
 * one tab only (R-INBOX-36). What it knows is stored, so that a reload does not end it.
 */
export function startRepeatedBeep(deps: RepeatedBeepDeps): RepeatedBeep {
  const beep: RepeatedBeep = { ...deps, timer: undefined, isStopped: false };
  schedule(beep);
  return beep;
}

/** There was an alert for a new message of this user, in this tab or in another one. */
export function addAlert(beep: RepeatedBeep, userId: string): void {
  if (!beep.isWanted()) return;
  const claimantId = beep.lookup.claimantOf(userId);
  // A colleague handles it.
  if (claimantId !== null && claimantId !== beep.currentUserId) return;
  write(beep, { alerts: { ...read(beep).alerts, [userId]: claimantId }, lastAtMs: Date.now() });
  schedule(beep);
}

export function stopRepeatedBeep(beep: RepeatedBeep): void {
  beep.isStopped = true;
  clearTimeout(beep.timer);
}

const storageKeyOf = (currentUserId: string): string => `pbb-chat-alerts:${currentUserId}`;

const read = ({ currentUserId }: RepeatedBeep): Stored => parseStored(readStored(storageKeyOf(currentUserId)));

function write(beep: RepeatedBeep, change: Partial<Stored>): void {
  if (beep.isStopped) return;
  const key = storageKeyOf(beep.currentUserId);
  const next = { ...read(beep), ...change };
  if (Object.keys(next.alerts).length === 0) removeStored(key);
  else writeStored(key, JSON.stringify(next));
}

function schedule(beep: RepeatedBeep): void {
  clearTimeout(beep.timer);
  const { alerts, lastAtMs } = read(beep);
  if (beep.isStopped || Object.keys(alerts).length === 0) return;
  // A clock that was set back must not delay it for hours.
  const inMs = Math.min(lastAtMs + REPEAT_INTERVAL_MS - Date.now(), REPEAT_INTERVAL_MS);
  beep.timer = setTimeout(() => void beepIfDue(beep).finally(() => schedule(beep)), Math.max(inMs, 0));
}

function isDue(beep: RepeatedBeep): boolean {
  const sinceMs = Date.now() - read(beep).lastAtMs;
  return sinceMs >= REPEAT_INTERVAL_MS || sinceMs < 0;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** @returns whether this tab, and no other, beeps now */
async function claimTurn(beep: RepeatedBeep): Promise<boolean> {
  await wait(beep.delayMs());
  if (beep.isStopped || !isDue(beep)) return false;
  write(beep, { lastAtMs: Date.now(), tab: beep.tabId });
  await wait(CLAIM_WINDOW_MS);
  return !beep.isStopped && read(beep).tab === beep.tabId;
}

async function beepIfDue(beep: RepeatedBeep): Promise<void> {
  if (!isDue(beep) || !(await claimTurn(beep))) return;
  const asked = Object.entries(read(beep).alerts).map(([userId, claimantId]) => ({ userId, claimantId }));
  const unhandled = new Set((await beep.lookup.findUnhandled(asked)).map(({ userId }) => userId));
  const handled = asked.filter(({ userId }) => !unhandled.has(userId)).map(({ userId }) => userId);
  // Another tab may have added one meanwhile.
  const left = Object.entries(read(beep).alerts).filter(([userId]) => !handled.includes(userId));
  write(beep, { alerts: beep.isWanted() ? Object.fromEntries(left) : {} });
  if (beep.isStopped || !beep.isWanted()) return;
  if ([...unhandled].some((userId) => !beep.isBeingRead(userId))) await beep.playBeep();
}
