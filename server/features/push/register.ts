import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { pushActionRoutes } from './actions/action-routes.ts';
import { createActionService, type ActionServiceDeps } from './actions/action-service.ts';
import { createActionTokens } from './actions/action-tokens.ts';
import { createResolveName, type ResolveName } from './endpoints/resolve-name.ts';
import { pushRoutes } from './routes.ts';
import { createSubscriptionService } from './subscription-service.ts';
import { createDelivery, type Delivery } from './delivery/delivery.ts';
import type { DeliveryChat } from './delivery/decide.ts';
import { startDelivery } from './delivery/start-delivery.ts';
import type { QueueLimits } from './delivery/queue/delivery-queue.ts';
import type { PushTransport } from './delivery/sending/push-request.ts';
import { createSender, createSendPush } from './delivery/sending/sender.ts';
import { createPushTransport } from './delivery/sending/transport.ts';
import type { SendPush } from './push-outcome.ts';
import { deleteEndedSubscription } from './queries.ts';
import { createTestService } from './test-service.ts';
import { createVapidKeySource } from './vapid-keys.ts';

/** How long a subscription may wait for an answer about the name of its push service. */
const RESOLVE_WITHIN_MS = 1500;

export type PushDeps = {
  dataDir: string;
  /** `PUSH_ALLOW`. */
  allowedOrigins: readonly string[];
  /** Tests answer themselves. */
  resolveName?: ResolveName | undefined;
  sendPush?: SendPush | undefined;
  /** The server sends from a thread of its own; without one the event loop encrypts. */
  transport?: PushTransport | undefined;
  /** Tests make the queue smaller. */
  queueLimits?: QueueLimits | undefined;
  /** Whom a push service may ask about these pushes (RFC 8292): an address of https or mailto. */
  contact?: string | undefined;
};

/** Push services want some contact. Without a public name there is none that they could use. */
const NO_CONTACT = 'https://pbb-kita.example';

type PushChat = ActionServiceDeps['chat'] & DeliveryChat & { listen: (to: Delivery) => void };
type Deps = FeatureDeps & PushDeps & Omit<ActionServiceDeps, 'tokens' | 'chat'> & { chat: PushChat };

/**
 * Adds Web Push: subscriptions of browsers, what each person wants of them, the delivery of messages, and the buttons of a
 * notification.
 */
export async function registerPush(
  app: FastifyInstance,
  { context, guards, dataDir, allowedOrigins, resolveName, sendPush, chat, ...deps }: Deps,
): Promise<Delivery> {
  const keys = createVapidKeySource(dataDir, () =>
    app.log.warn('the key of push notifications was damaged; a new one was made, and browsers subscribe again'),
  );
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
  chat.listen(delivery);
  startDelivery(app, delivery, transport);
  const resolve = resolveName ?? createResolveName(RESOLVE_WITHIN_MS);
  const subscriptions = createSubscriptionService(context, {
    allowedOrigins,
    resolveName: resolve,
    keySource: keys,
    onChanged: delivery.wishesChanged,
  });
  const tests = createTestService(context, {
    sendPush: sendPush ?? createSendPush(send),
    noteOutcome: delivery.noteOutcome,
    countUnread: chat.countUnread,
  });
  await app.register(pushRoutes({ subscriptions, tests, keys }, guards), { prefix: API_PREFIX });
  const actions = createActionService(context, {
    ...deps,
    tokens,
    chat: {
      ...chat,
      markSeen: (currentUser, userId, upTo) => {
        // The service worker that asks has taken its notification away.
        delivery.handledOn({ sessionId: currentUser.sessionId, userId });
        return chat.markSeen(currentUser, userId, upTo);
      },
    },
  });
  await app.register(pushActionRoutes(actions), { prefix: API_PREFIX });
  return delivery;
}
