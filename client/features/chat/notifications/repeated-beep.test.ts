import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addAlert, type Alert, type RepeatedBeep, startRepeatedBeep, stopRepeatedBeep } from './repeated-beep.ts';

const tabs: RepeatedBeep[] = [];
/** The conversations as the server knows them. */
let waiting = new Set<string>();
let claimants: Record<string, string> = {};
let isWanted = true;
let beingRead: string | null = null;

function openTab(tabId: string, { delayMs = 0 } = {}) {
  const playBeep = vi.fn(async () => true);
  const findUnhandled = vi.fn(async (alerts: readonly Alert[]) =>
    alerts.filter(
      ({ userId, claimantId }) => waiting.has(userId) && [null, claimantId].includes(claimants[userId] ?? null),
    ),
  );
  const repeatedBeep = startRepeatedBeep({
    currentUserId: 'a1',
    tabId,
    isWanted: () => isWanted,
    playBeep,
    isBeingRead: (userId) => userId === beingRead,
    lookup: { claimantOf: (userId) => claimants[userId] ?? null, findUnhandled },
    delayMs: () => delayMs,
  });
  tabs.push(repeatedBeep);
  return {
    alerted: (userId: string) => addAlert(repeatedBeep, userId),
    stop: () => stopRepeatedBeep(repeatedBeep),
    playBeep,
    findUnhandled,
  };
}
const advanceSeconds = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);
const beepsOf = (...opened: ReturnType<typeof openTab>[]) =>
  opened.reduce((sum, { playBeep }) => sum + playBeep.mock.calls.length, 0);

beforeEach(() => {
  vi.useFakeTimers();
  waiting = new Set(['u1']);
  claimants = {};
  isWanted = true;
  beingRead = null;
});
afterEach(() => {
  for (const tab of tabs.splice(0)) stopRepeatedBeep(tab);
});

it('repeats every 30 seconds until somebody has answered', async () => {
  const tab = openTab('a');
  tab.alerted('u1');
  await advanceSeconds(29);
  expect(beepsOf(tab)).toBe(0);
  await advanceSeconds(2);
  expect(beepsOf(tab)).toBe(1);
  await advanceSeconds(60);
  expect(beepsOf(tab)).toBe(3);
  waiting.delete('u1');
  await advanceSeconds(300);
  expect(beepsOf(tab)).toBe(3);
  // Nothing is left that would be asked again and again.
  expect(tab.findUnhandled.mock.calls.length).toBe(4);
});

it('ends when somebody takes the conversation, and goes on for one that this admin had already', async () => {
  waiting = new Set(['u1', 'u2']);
  claimants = { u2: 'a1' };
  const tab = openTab('a');
  tab.alerted('u1');
  tab.alerted('u2');
  await advanceSeconds(31);
  expect(beepsOf(tab)).toBe(1);
  claimants = { u1: 'a2', u2: 'a1' };
  await advanceSeconds(30);
  expect(beepsOf(tab)).toBe(2);
  waiting.delete('u2');
  await advanceSeconds(120);
  expect(beepsOf(tab)).toBe(2);
});

it('leaves alone what a colleague handles, and what this person has not asked for', async () => {
  claimants = { u1: 'a2' };
  const tab = openTab('a');
  tab.alerted('u1');
  claimants = {};
  isWanted = false;
  tab.alerted('u1');
  await advanceSeconds(300);
  expect(beepsOf(tab)).toBe(0);
  isWanted = true;
  tab.alerted('u1');
  await advanceSeconds(31);
  expect(beepsOf(tab)).toBe(1);
  isWanted = false;
  await advanceSeconds(300);
  expect(beepsOf(tab)).toBe(1);
});

it('beeps in one tab only, and rather in one that can play sound', async () => {
  const muted = openTab('a', { delayMs: 120 });
  const audible = openTab('b');
  const second = openTab('c');
  for (const tab of [muted, audible, second]) tab.alerted('u1');
  await advanceSeconds(31);
  expect(beepsOf(muted, audible, second)).toBe(1);
  expect(beepsOf(muted)).toBe(0);
  await advanceSeconds(90);
  expect(beepsOf(muted, audible, second)).toBe(4);
  expect(beepsOf(muted)).toBe(0);
});

it('goes on after a reload, and is silent while the conversation is being read here', async () => {
  const before = openTab('a');
  before.alerted('u1');
  await advanceSeconds(10);
  before.stop();
  const after = openTab('b');
  await advanceSeconds(21);
  expect([beepsOf(before), beepsOf(after)]).toEqual([0, 1]);
  beingRead = 'u1';
  await advanceSeconds(60);
  expect(beepsOf(after)).toBe(1);
  beingRead = null;
  await advanceSeconds(30);
  expect(beepsOf(after)).toBe(2);
});
