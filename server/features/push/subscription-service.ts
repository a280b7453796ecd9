import type { z } from 'zod';
import { type PushPreferences, type pushSubscriptionBody, pushTexts } from '#shared/api/push.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { invalid } from '#server/http/errors.ts';
import { createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { isEndpointPublic, parseEndpoint } from './endpoints/endpoint-check.ts';
import type { ResolveName } from './endpoints/resolve-name.ts';
import { parseSubscriptionKeys } from './endpoints/subscription-keys.ts';
import * as queries from './queries.ts';
import type { PreferencesRow } from './queries.ts';
import type { VapidKeySource } from './vapid-keys.ts';

/** More than a person needs who changes every switch back and forth; each is a commit and a question to the name servers. */
const CHANGES_MAX = 30;
const CHANGES_WINDOW_MS = MINUTE_MS;

type Deps = {
  allowedOrigins: readonly string[];
  resolveName: ResolveName;
  keySource: VapidKeySource;
  /** Called after the commit. */
  onChanged: (userId: string) => void;
};

const DEFAULT_PREFERENCES: PushPreferences = { enabled: true, preview: true, quiet_hours: null };

/** `07:05` as minutes after midnight. */
function toMinutes(timeOfDay: string): number {
  const [hours = 0, minutes = 0] = timeOfDay.split(':').map(Number);
  return hours * 60 + minutes;
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
const toTimeOfDay = (minutes: number): string => `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;

/** @param row undefined for a person who never chose */
function presentPreferences(row: PreferencesRow | undefined): PushPreferences {
  if (!row) return DEFAULT_PREFERENCES;
  const { isEnabled, showsPreview, quietFrom, quietTo } = row;
  return {
    enabled: isEnabled,
    preview: showsPreview,
    quiet_hours:
      quietFrom === null || quietTo === null ? null : { from: toTimeOfDay(quietFrom), to: toTimeOfDay(quietTo) },
  };
}

function preferencesOf(userId: string, { enabled, preview, quiet_hours: quiet }: PushPreferences): PreferencesRow {
  return {
    userId,
    isEnabled: enabled,
    showsPreview: preview,
    quietFrom: quiet && toMinutes(quiet.from),
    quietTo: quiet && toMinutes(quiet.to),
  };
}

/** The subscriptions of browsers and the preferences of their persons (R-PUSH-1 to R-PUSH-9). */
export function createSubscriptionService(
  context: ServiceContext,
  { allowedOrigins, resolveName, keySource, onChanged }: Deps,
) {
  const { orm, write, policy, now, monotonicNow, rateLimits } = context;
  const changes = createRateLimit(CHANGES_MAX, CHANGES_WINDOW_MS, monotonicNow);

  /** @throws 429 */
  function countChange({ id }: CurrentUser): void {
    if (!rateLimits) return;
    changes.check(id);
    changes.count(id);
  }

  return {
    /**
     * Stores the subscription of this session; it replaces the one before.
     * @throws 401, 403, 422 for an endpoint or keys that nothing can be sent to, 429
     */
    async subscribe(currentUser: CurrentUser, body: z.infer<typeof pushSubscriptionBody>): Promise<void> {
      countChange(currentUser);
      const endpoint = parseEndpoint(body.endpoint, allowedOrigins);
      if (!endpoint) throw invalid('endpoint', pushTexts.endpointRefused);
      const keys = parseSubscriptionKeys(body.keys);
      if (!keys) throw invalid('keys', pushTexts.keysInvalid);
      const own = await queries.findSubscription(orm, currentUser.sessionId);
      // Each start of a page says where its notifications go.
      if (own && own.endpoint === endpoint.href && own.p256dh === keys.p256dh && own.auth === keys.auth) return;
      if (!(await isEndpointPublic(endpoint, allowedOrigins, resolveName)))
        throw invalid('endpoint', pushTexts.endpointRefused);
      // Without a key nothing could ever be sent.
      await keySource.read();
      const { id: userId, sessionId } = currentUser;
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const known = await queries.findSubscriptionByEndpoint(tx, endpoint.href);
        const isSameBrowser = known?.p256dh === keys.p256dh && known.auth === keys.auth;
        if (known && known.sessionId !== sessionId) {
          // A browser has the same secret for the same endpoint. Who knows the endpoint only must not end its notifications.
          if (!isSameBrowser) throw invalid('endpoint', pushTexts.endpointRefused);
          await queries.deleteSubscription(tx, known.sessionId);
        }
        // Messages that did not get out to the old address are owed to the new one.
        const owedAfterId = (await queries.findSubscription(tx, sessionId))?.owedAfterId ?? null;
        await queries.storeSubscription(tx, {
          sessionId,
          userId,
          endpoint: endpoint.href,
          ...keys,
          owedAfterId,
          createdAt: now(),
        });
      });
      onChanged(userId);
    },

    /** Ends the subscription of this session, if there is one. No limit may be in the way of that. @throws 401, 403 */
    async unsubscribe(currentUser: CurrentUser): Promise<void> {
      if (!(await queries.findSubscription(orm, currentUser.sessionId))) return;
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        await queries.deleteSubscription(tx, currentUser.sessionId);
      });
    },

    preferences: async ({ id }: CurrentUser): Promise<PushPreferences> =>
      presentPreferences(await queries.findPreferences(orm, id)),

    /** @throws 401, 403, 429 */
    async changePreferences(currentUser: CurrentUser, body: PushPreferences): Promise<PushPreferences> {
      countChange(currentUser);
      const row = preferencesOf(currentUser.id, body);
      await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        await queries.storePreferences(tx, row);
      });
      onChanged(currentUser.id);
      return presentPreferences(row);
    },
  };
}
export type SubscriptionService = ReturnType<typeof createSubscriptionService>;
