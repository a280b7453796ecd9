import { pushTexts, type PushTestResult } from '#shared/api/push.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { type PushPayload, testNotificationTag } from '#shared/push.ts';
import { notFound, serverBusy } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';
import type { PushOutcome, PushTarget, SendTo } from './sending/push.ts';

/** Each of them asks a push service, which counts them too. */
const TESTS_MAX = 5;
const TESTS_WINDOW_MS = MINUTE_MS;
const TEST_TTL_S = 300;

/** A slow push service holds a connection for seconds. */
const TESTS_AT_ONCE_MAX = 20;

type TestAnswer = { result: PushTestResult; status: number | null; text: string };

function describeOutcome(outcome: PushOutcome): TestAnswer {
  switch (outcome.kind) {
    case 'sent':
      return { result: 'sent', status: null, text: pushTexts.testSent };
    case 'gone':
      return { result: 'ended', status: null, text: pushTexts.testEnded };
    case 'busy':
      return { result: 'busy', status: outcome.status, text: pushTexts.testBusy(outcome.status) };
    case 'refused':
      return { result: 'refused', status: outcome.status, text: pushTexts.testRefused(outcome.status) };
    case 'unreachable':
      return { result: 'unreachable', status: null, text: pushTexts.testUnreachable };
  }
}

type Deps = {
  send: SendTo;
  noteOutcome: (target: PushTarget, outcome: PushOutcome) => void;
  countUnread: (currentUser: CurrentUser) => Promise<number>;
};

/** Sends a notification to the device of the caller, to see whether notifications arrive (R-PUSH-7). */
export function createTestService(
  { orm, write, now, monotonicNow, rateLimits }: ServiceContext,
  { send, noteOutcome, countUnread }: Deps,
) {
  const tests = createRateLimit(TESTS_MAX, TESTS_WINDOW_MS, monotonicNow);
  let running = 0;

  async function sendTest(currentUser: CurrentUser, subscription: PushTarget): Promise<PushOutcome> {
    const payload: PushPayload = {
      title: pushTexts.testTitle,
      body: pushTexts.testBody,
      user_id: '',
      receiver_id: currentUser.id,
      url: currentUser.isAdmin ? '/admin/settings' : '/account',
      tag: testNotificationTag,
      unread: await countUnread(currentUser),
      // A later test replaces an earlier one, as a later message does.
      message_id: String(now()),
    };
    return send(subscription, payload, { ttlS: TEST_TTL_S, urgency: 'high', topic: null });
  }

  return {
    /**
     * Also during quiet hours, and when the person wants no notifications now: this one was asked for.
     * @throws 404 without a subscription, 429, 503 while many others wait for theirs
     */
    async test(currentUser: CurrentUser): Promise<TestAnswer> {
      const subscription = await queries.findSubscription(orm, currentUser.sessionId);
      if (!subscription) throw notFound(pushTexts.noSubscription);
      if (rateLimits) {
        tests.check(currentUser.id);
        tests.count(currentUser.id);
      }
      if (running >= TESTS_AT_ONCE_MAX) throw serverBusy();
      running += 1;
      const outcome = await sendTest(currentUser, subscription).finally(() => {
        running -= 1;
      });
      noteOutcome(subscription, outcome);
      if (outcome.kind === 'gone') await write((tx) => queries.deleteEndedSubscription(tx, subscription));
      return describeOutcome(outcome);
    },
  };
}
export type TestService = ReturnType<typeof createTestService>;
