import type { PushPayload } from '#shared/push.ts';
import type { SubscriptionRow } from './queries.ts';

/** Where a push goes. */
export type PushTarget = Pick<SubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>;

/** What became of one attempt to send a push. */
export type PushOutcome =
  | { kind: 'sent' }
  /** 404, 410: the browser has no such subscription any more. */
  | { kind: 'gone' }
  /** 429, 5xx. */
  | { kind: 'busy'; status: number; retryAfterMs: number | null }
  /** Every other status, a redirect included. */
  | { kind: 'refused'; status: number }
  /** No network, no answer in time, no certificate to trust, or an address that is not public. `error`: of this server itself. */
  | { kind: 'unreachable'; reason: string; error?: unknown };

/** Encrypts a payload and sends it once; it never throws. */
export type SendPush = (target: PushTarget, payload: PushPayload) => Promise<PushOutcome>;
