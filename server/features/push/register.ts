import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createResolveName, type ResolveName } from './endpoints/resolve-name.ts';
import { pushRoutes } from './routes.ts';
import { createSubscriptionService } from './subscription-service.ts';
import { createVapidKeySource } from './vapid-keys.ts';

/** How long a subscription may wait for an answer about the name of its push service. */
const RESOLVE_WITHIN_MS = 1500;

export type PushDeps = {
  dataDir: string;
  /** `PUSH_ALLOW`. */
  allowedOrigins: readonly string[];
  /** Tests answer themselves. */
  resolveName?: ResolveName | undefined;
};

/** Adds Web Push: subscriptions of browsers, and what each person wants of them. */
export async function registerPush(
  app: FastifyInstance,
  { context, guards, dataDir, allowedOrigins, resolveName }: FeatureDeps & PushDeps,
): Promise<void> {
  const keys = createVapidKeySource(dataDir, () =>
    app.log.warn('the key of push notifications was damaged; a new one was made, and browsers subscribe again'),
  );
  const resolve = resolveName ?? createResolveName(RESOLVE_WITHIN_MS);
  const subscriptions = createSubscriptionService(context, { allowedOrigins, resolveName: resolve });
  await app.register(pushRoutes(subscriptions, keys, guards), { prefix: API_PREFIX });
}
