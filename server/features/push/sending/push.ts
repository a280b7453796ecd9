import type { PushPayload } from '#shared/push.ts';
import { isAllowedOrigin } from '../endpoints/endpoint-check.ts';
import type { SubscriptionRow } from '../queries.ts';
import type { VapidKeySource } from '../vapid-keys.ts';

/** The device to which a push goes. */
export type PushTarget = Pick<SubscriptionRow, 'endpoint' | 'p256dh' | 'auth'>;

/** The result of one attempt to send a push. */
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

/** One push as it is sent: everything that the thread needs to encrypt, sign and post it. It can be cloned between threads. */
export type PushRequest = {
  target: PushTarget;
  /** JSON for the service worker of the browser. */
  text: string;
  /** The push service keeps it so long for a phone that is off. */
  ttlS: number;
  /** 'high' reaches a phone that sleeps. */
  urgency: 'high' | 'normal';
  /** A newer push of the same topic replaces one that waits at the push service; at most 32 characters of base64url. */
  topic: string | null;
  vapid: { subject: string; publicKey: string; privateKey: string };
  /** The origin of the endpoint is in `PUSH_ALLOW`: neither its address nor its certificate is checked. */
  isAllowed: boolean;
};

/** Nothing was sent: the endpoint leads to an address that is not public. */
export const NOT_PUBLIC = 'NOT_PUBLIC';

/** Nothing was sent: the thread that sends could not start, or ended. No push service caused it. */
export const THREAD_ENDED = 'THREAD_ENDED';

/** Encrypts and posts pushes. `send` never throws. */
export type PushTransport = {
  send: (request: PushRequest) => Promise<PushOutcome>;
  close: () => Promise<void>;
};

/** Sends one push; it never throws for what a push service answers. */
export type SendTo = (
  target: PushTarget,
  payload: PushPayload,
  how: Pick<PushRequest, 'ttlS' | 'urgency' | 'topic'>,
) => Promise<PushOutcome>;

type SenderOptions = {
  keys: VapidKeySource;
  /** An address of https or mailto, by which a push service may ask about these pushes (RFC 8292). */
  contact: string;
  /** `PUSH_ALLOW`. */
  allowedOrigins: readonly string[];
};

/** Adds the keys of this server to each push, and sends it over a transport. */
export function createSender(transport: PushTransport, { keys, contact, allowedOrigins }: SenderOptions): SendTo {
  return async ({ endpoint, p256dh, auth }, payload, how) =>
    transport.send({
      ...how,
      target: { endpoint, p256dh, auth },
      text: JSON.stringify(payload),
      vapid: { subject: contact, ...(await keys.read()) },
      isAllowed: isAllowedOrigin(new URL(endpoint), allowedOrigins),
    });
}
