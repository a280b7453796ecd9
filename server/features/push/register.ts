import type { FastifyInstance } from 'fastify';
import { pushCalls } from '#shared/api/calls/push.ts';
import { runAfterListen } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { NamedTexts } from '#server/files/named-texts.ts';
import type { Processes } from '#server/process/processes.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createActionService, type ActionServiceDeps } from './actions/action-service.ts';
import { createActionTokens } from './actions/action-tokens.ts';
import { createResolveName, type ResolveName } from './endpoints/resolve-name.ts';
import { pushRoutes } from './routes.ts';
import { createSubscriptionService } from './subscription-service.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import type { DeliveryChat } from './delivery/decide.ts';
import type { QueueLimits } from './delivery/delivery-queue.ts';
import { deleteEndedSubscription } from './queries.ts';
import { createSender, type PushTransport, type SendTo } from './sending/push.ts';
import { createPushTransport } from './sending/transport.ts';
import { createTestService } from './test-service.ts';
import { createVapidKeySource } from './vapid-keys.ts';

/** A subscription waits no longer for an answer about the name of its push service. */
const RESOLVE_WITHIN_MS = 1500;
/** A push that waits for its time is sent within about this time. */
const TICK_MS = 1000;

export type PushDeps = {
  /** The folder of the keys, unless all processes share them. */
  dataDir: string;
  sharedTexts: NamedTexts | null;
  /** `PUSH_ALLOW`. */
  allowedOrigins: readonly string[];
  /** Tests answer themselves. */
  resolveName?: ResolveName | undefined;
  /** Tests answer themselves for test notifications. */
  send?: SendTo | undefined;
  /** The server sends from a thread of its own; without one the event loop encrypts. */
  transport?: PushTransport | undefined;
  /** Tests make the queue smaller. */
  queueLimits?: QueueLimits | undefined;
  /** An address of https or mailto, by which a push service may ask about these pushes (RFC 8292). */
  contact?: string | undefined;
};

/** Push services want some contact. Without a public name there is none that they could use. */
const NO_CONTACT = 'https://pbb-kita.example';

type Heard = Pick<Delivery, 'messageStoring' | 'unreadChanged' | 'viewerLost'>;
type PushChat = ActionServiceDeps['chat'] & DeliveryChat & { listen: (to: Heard) => void };
type Deps = FeatureDeps & PushDeps & Omit<ActionServiceDeps, 'tokens' | 'chat'> & { chat: PushChat };

/**
 * Adds Web Push: subscriptions of browsers, the preferences of each person, the delivery of messages, and the buttons
 * of a notification.
 */
export function registerPush(
  app: FastifyInstance,
  { context, guards, dataDir, sharedTexts, allowedOrigins, resolveName, chat, ...deps }: Deps,
): Delivery {
  const keys = createVapidKeySource(dataDir, sharedTexts, () =>
    app.log.warn('the key of push notifications was damaged; a new one was made, and browsers subscribe again'),
  );
  // Keys that an earlier version kept beside the files are needed there no longer.
  if (sharedTexts)
    runAfterListen(app, async () => void (await keys.read()), 'the keys of push notifications were not read');
  const tokens = createActionTokens(context);
  const { transport = createPushTransport(), contact = NO_CONTACT } = deps;
  const send = createSender(transport, { keys, contact, allowedOrigins });
  const delivery = createDelivery(context, {
    send,
    chat,
    tokens,
    countUnread: chat.countUnread,
    queueLimits: deps.queueLimits,
    endSubscription: (device) => context.write((tx) => deleteEndedSubscription(tx, device)),
    log: app.log,
  });
  const { processes } = context;
  const viewerLost = everywhere<Parameters<Delivery['viewerLost']>>(processes, 'push: viewer lost', (lost) =>
    delivery.viewerLost(...lost),
  );
  const wishesChanged = everywhere(processes, 'push: wishes changed', delivery.wishesChanged);
  const handledOn = everywhere(processes, 'push: handled on', delivery.handledOn);
  const noteOutcome = everywhere<Parameters<Delivery['noteOutcome']>>(processes, 'push: test sent', (tested) =>
    delivery.noteOutcome(...tested),
  );
  chat.listen({ ...delivery, viewerLost: (...lost) => viewerLost(lost) });
  startDelivery(app, delivery, transport);
  const resolve = resolveName ?? createResolveName(RESOLVE_WITHIN_MS);
  const subscriptions = createSubscriptionService(context, {
    allowedOrigins,
    resolveName: resolve,
    keySource: keys,
    onChanged: wishesChanged,
  });
  const tests = createTestService(context, {
    send: deps.send ?? send,
    noteOutcome: ({ endpoint }, outcome) => noteOutcome([{ endpoint }, outcome]),
    countUnread: chat.countUnread,
  });
  const actions = createActionService(context, {
    ...deps,
    tokens,
    chat: {
      ...chat,
      markSeen: (currentUser, userId, upTo) => {
        // The service worker that asks has taken its notification away.
        handledOn({ sessionId: currentUser.sessionId, userId });
        return chat.markSeen(currentUser, userId, upTo);
      },
    },
  });
  serveCalls(app, guards, pushCalls, pushRoutes({ subscriptions, tests, actions, keys }));
  return delivery;
}

/** @returns does something at this process and at all others: any of them may lead, and only the leader sends */
function everywhere<Told>(
  { on, tell }: Pick<Processes, 'on' | 'tell'>,
  topic: string,
  perform: (told: Told) => void,
): (told: Told) => void {
  on(topic, perform);
  return (told) => {
    tell(topic, told);
    perform(told);
  };
}

/** Delivers while the server listens; at the start first what an earlier process owed. */
function startDelivery(app: FastifyInstance, delivery: Delivery, transport: PushTransport): void {
  let timer: NodeJS.Timeout | undefined;

  app.addHook('onListen', async () => {
    void delivery.tick();
    timer = setInterval(() => void delivery.tick(), TICK_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await delivery.close();
    await transport.close();
  });
}
