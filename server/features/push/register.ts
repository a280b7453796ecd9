import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { pushActionRoutes } from './actions/action-routes.ts';
import { createActionService, type ActionServiceDeps } from './actions/action-service.ts';
import { createActionTokens } from './actions/action-tokens.ts';
import { createResolveName, type ResolveName } from './endpoints/resolve-name.ts';
import { pushRoutes } from './routes.ts';
import { createSubscriptionService } from './subscription-service.ts';
import type { SendPush } from './push-outcome.ts';
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
};

type Deps = FeatureDeps & PushDeps & Omit<ActionServiceDeps, 'tokens'>;

/** Adds Web Push: subscriptions of browsers, what each person wants of them, and the buttons of a notification. */
export async function registerPush(
  app: FastifyInstance,
  { context, guards, dataDir, allowedOrigins, resolveName, sendPush, chat, ...deps }: Deps,
): Promise<void> {
  const keys = createVapidKeySource(dataDir, () =>
    app.log.warn('the key of push notifications was damaged; a new one was made, and browsers subscribe again'),
  );
  const tokens = createActionTokens(context);
  const send: SendPush = sendPush ?? (async () => ({ kind: 'unreachable', reason: 'nothing sends pushes yet' }));
  const resolve = resolveName ?? createResolveName(RESOLVE_WITHIN_MS);
  const subscriptions = createSubscriptionService(context, { allowedOrigins, resolveName: resolve, keySource: keys });
  const tests = createTestService(context, { sendPush: send, countUnread: chat.countUnread });
  await app.register(pushRoutes({ subscriptions, tests, keys }, guards), { prefix: API_PREFIX });
  const actions = createActionService(context, { ...deps, chat, tokens });
  await app.register(pushActionRoutes(actions), { prefix: API_PREFIX });
}
