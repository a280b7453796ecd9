import { createECDH, randomBytes } from 'node:crypto';
import type { AppDeps } from '#server/app.ts';
import { rowNumber } from '#server/db/dialect.ts';
import { pushSubscriptions } from '#server/db/schema.ts';
import type { TestApp } from './test-app.ts';

/** The only origin to which the test app may push. */
export const PUSH_ORIGIN = 'https://push.contoh.id';

/** Settings with that origin, so that no test asks a name server. */
export const pushSettings: AppDeps['settings'] = {
  timeZone: 'Asia/Jakarta',
  corsOrigins: [],
  trustedProxies: null,
  rateLimits: true,
  pushAllow: [PUSH_ORIGIN],
};

/** The body that a browser sends after it subscribed. */
export function buildSubscriptionBody(endpoint = `${PUSH_ORIGIN}/${randomBytes(8).toString('hex')}`) {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  return { endpoint, expirationTime: null, keys: { p256dh, auth: randomBytes(16).toString('base64url') } };
}

/** In the order in which their sessions first subscribed. */
export const storedSubscriptions = ({ database }: TestApp): (typeof pushSubscriptions.$inferSelect)[] =>
  database.direct.select().from(pushSubscriptions).orderBy(rowNumber(pushSubscriptions)).all();
