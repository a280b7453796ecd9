import fc from 'fast-check';
import { createStore } from 'jotai';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Message } from '#shared/api/chat.ts';
import { outboxAtom } from '../outbox/outbox.ts';
import { fakeLine, type Weather } from '../testing/fake-line.ts';
import { fakeOffice } from '../testing/fake-office.ts';
import { fakeSocket } from '../testing/fake-socket.ts';
import { quietNotifier } from '../testing/quiet-notifier.ts';
import { startChat } from './client.ts';
import { countUnread } from './conversation.ts';
import { readConversation } from './state.ts';

type Step = {
  kind: 'office' | 'resident' | 'delete' | 'drop' | 'connect' | 'offline' | 'online' | 'reload' | 'older' | 'again';
  waitMs: number;
};

const weather: fc.Arbitrary<Weather> = fc.record({
  thereMs: fc.nat(2500),
  backMs: fc.nat(2500),
  lost: fc.constantFrom('no', 'no', 'no', 'request', 'answer'),
});
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['office', 'office', 'office', 'resident', 'resident', 'resident'] as const),
    ...(['delete', 'drop', 'connect', 'offline', 'online', 'reload', 'older', 'again'] as const),
  ),
  waitMs: fc.nat(3000),
});

/** What must hold at every moment: in order, nothing twice, nothing missing in between. */
function expectOneRun(messages: readonly Message[]): void {
  messages.forEach((message, index) => {
    const before = messages[index - 1];
    if (before) expect(message.prev_id).toBe(before._id);
  });
}

/** One page of one resident, on one line, until it is closed. */
function openPage(line: ReturnType<typeof fakeLine>, lagMs: () => number, tab: number) {
  const store = createStore();
  const socket = fakeSocket();
  const client = startChat({
    identity: { side: 'user', selfId: 'u1', name: 'Siti' },
    store,
    calls: line.calls,
    openLink: () => socket.link,
    createNotifier: quietNotifier,
    tabId: `tab ${tab}`,
  });
  let unplug: (() => void) | null = null;
  const drop = (): void => {
    unplug?.();
    unplug = null;
  };
  return {
    store,
    socket,
    client,
    drop,
    connect: (): void => {
      unplug ??= line.plug(socket, lagMs);
    },
    close: (): void => {
      drop();
      client.stop();
    },
  };
}

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});

it('ends equal to a fresh load, whatever the line, the office and the tabs do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.array(weather, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(2000), { minLength: 1, maxLength: 10 }),
      async (steps, skies, lags) => {
        window.localStorage.clear();
        let calls = 0;
        let pushes = 0;
        let calm = false;
        const office = fakeOffice();
        const line = fakeLine(office, () =>
          calm ? { thereMs: 20, backMs: 20, lost: 'no' } : (skies[(calls += 1) % skies.length] as Weather),
        );
        const lagMs = (): number => (calm ? 10 : (lags[(pushes += 1) % lags.length] ?? 0));
        let tab = 0;
        let page = openPage(line, lagMs, tab);
        let written = 0;
        let lastPush: Message | undefined;

        for (const { kind, waitMs } of steps) {
          if (kind === 'office') lastPush = office.write('admin', `kantor ${office.sentCount}`);
          if (kind === 'resident') page.client.send('u1', `warga ${(written += 1)}`);
          if (kind === 'delete') office.clear();
          if (kind === 'drop') page.drop();
          if (kind === 'connect' && line.state.online) page.connect();
          if (kind === 'offline') {
            line.state.online = false;
            page.drop();
          }
          if (kind === 'online') line.state.online = true;
          if (kind === 'older') void page.client.readOlder('u1');
          if (kind === 'again' && lastPush && office.messages.includes(lastPush))
            page.socket.push('message:new', lastPush);
          if (kind === 'reload') {
            page.close();
            page = openPage(line, lagMs, (tab += 1));
          }
          await vi.advanceTimersByTimeAsync(waitMs);
          expectOneRun(readConversation(page.store, 'u1').messages);
        }

        calm = true;
        line.state.online = true;
        page.drop();
        page.connect();
        await vi.advanceTimersByTimeAsync(60_000);

        const shown = readConversation(page.store, 'u1');
        expect(page.store.get(outboxAtom)).toEqual([]);
        const from = office.messages.length - shown.messages.length;
        expect(shown.messages).toEqual(office.messages.slice(from));
        expect(shown.hasOlder).toBe(from > 0);
        expect(countUnread(shown, 'user')).toBe(office.unreadOf('user'));
        // Once each, and in the order in which they were written.
        expect(office.storedBy('user')).toEqual(Array.from({ length: written }, (_, index) => `warga ${index + 1}`));
        page.close();
        expect(page.socket.listenerCount()).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);
