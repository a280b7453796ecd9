import fc from 'fast-check';
import type { Message } from '#shared/api/chat/chat.ts';
import { conversationOf } from '../state/chat-state.ts';
import { type Conditions, Simulation, type Step, STEP_KINDS } from './simulate-chat.ts';

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...STEP_KINDS),
  tab: fc.nat(2),
  waitMs: fc.nat(3000),
});
const conditionsArbitrary: fc.Arbitrary<Conditions> = fc.record({
  requestMs: fc.nat(2500),
  answerMs: fc.nat(2500),
  lost: fc.constantFrom('no', 'no', 'no', 'request', 'answer'),
});

/** Far faster than `expect`, which matters for millions of events. */
function requireEqual(found: unknown, wanted: unknown): void {
  const [foundText, wantedText] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (foundText !== wantedText) throw new Error(`Found ${foundText} instead of ${wantedText}`);
}

const idsOf = (messages: readonly Message[]): string[] => messages.map(({ _id }) => _id);

/** Messages in order, none twice, no gap. */
function requireContiguous(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (before) requireEqual(message.prev_id, before._id);
  });
}

function requireUnbroken({ tabs }: Simulation): void {
  for (const { state, deletedUpTo } of tabs) {
    for (const messages of [conversationOf(state, 'u1').messages, state.jumps['u1']?.segment?.messages ?? []]) {
      requireContiguous(messages);
      const isDeletedShown = messages.some(({ _id }) => Number(_id) <= deletedUpTo);
      if (isDeletedShown) throw new Error(`A message up to ${deletedUpTo} is shown although it was deleted`);
    }
  }
}

/** Each tab has the messages that it has missed. */
function requireNewest({ tabs, newestAtReconnect }: Simulation): void {
  for (const { state } of tabs) {
    const newest = conversationOf(state, 'u1').messages.at(-1)?._id ?? '0';
    if (Number(newest) < Number(newestAtReconnect)) {
      throw new Error(`${newest} is the newest message instead of ${newestAtReconnect}`);
    }
  }
}

/** Each tab is equal to a fresh load, and reading on from an old message leads to the newest ones. */
function requireComplete(simulation: Simulation): void {
  const ids = idsOf(simulation.server.messages);
  for (const tab of simulation.tabs) {
    for (let left = ids.length + 1; tab.state.jumps['u1']?.segment; left -= 1) {
      if (left <= 0) throw new Error('Reading on from an old message does not end');
      simulation.dispatch(tab, { type: 'user.readsBeside', userId: 'u1', direction: 'newer' });
      simulation.advance(100);
    }
    const { messages, hasOlder, loadState } = conversationOf(tab.state, 'u1');
    requireEqual(idsOf(messages), ids.slice(ids.length - messages.length));
    requireEqual(hasOlder, messages.length < ids.length);
    requireEqual(loadState, 'none');
    requireEqual([tab.state.inFlight, tab.state.fileJobs, tab.state.arrivals], [{}, [], []]);
  }
}

/** Every message of the user is stored once and in the order in which it was written. */
function requireStored({ server, written, loose, unsent }: Simulation): void {
  const isFirm = (content: string): boolean => !loose.has(content);
  requireEqual(server.stored.filter(isFirm), written.filter(isFirm));
  requireEqual(new Set(server.stored).size, server.stored.length);
  requireEqual(unsent, []);
}

const withoutErrors = (_key: string, value: unknown): unknown => (value instanceof Error ? null : value);

/** The state is the same after it was written as JSON and read again; only errors keep their class. */
function requirePlain({ tabs }: Simulation): void {
  for (const { state } of tabs) {
    for (const [key, part] of Object.entries(state)) {
      const text = JSON.stringify(part, withoutErrors);
      if (text === undefined) throw new Error(`${key} is no data`);
      requireEqual(JSON.parse(text), JSON.parse(JSON.stringify(structuredClone(part), withoutErrors)));
    }
  }
}

/** @param onEvents takes how many events one run has brought */
export const chatProperty = (onEvents: (count: number) => void) =>
  fc.property(
    fc.array(stepArbitrary, { maxLength: 60, size: 'max' }),
    fc.array(conditionsArbitrary, { minLength: 1, maxLength: 20 }),
    (steps, conditions) => {
      const simulation = new Simulation(conditions);
      for (const step of steps) {
        simulation.run(step);
        requireUnbroken(simulation);
      }
      simulation.reconnect();
      requireNewest(simulation);
      simulation.finish();
      requirePlain(simulation);
      requireComplete(simulation);
      requireStored(simulation);
      onEvents(simulation.eventCount);
    },
  );
