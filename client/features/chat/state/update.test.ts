import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatProperty } from '../testing/chat-property.ts';

/** Set by vitest.config.ts. `CHAT_RUNS=20000 npx vitest run client/features/chat/state/update.test.ts` takes four million events. */
declare const CHAT_RUNS: number;
const EVENTS_PER_RUN_MIN = 100;
const RUN_MAX_MS = 200;

it(
  'ends equal to a fresh load and sends everything once, whatever the network, the tabs and the user do',
  () => {
    let eventCount = 0;
    fc.assert(
      chatProperty((count) => (eventCount += count)),
      { numRuns: CHAT_RUNS },
    );
    expect(eventCount).toBeGreaterThan(EVENTS_PER_RUN_MIN * CHAT_RUNS);
  },
  RUN_MAX_MS * CHAT_RUNS,
);
