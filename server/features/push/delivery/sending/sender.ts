import { MINUTE_MS } from '#shared/durations.ts';
import type { PushPayload } from '#shared/push.ts';
import { isAllowedOrigin } from '../../endpoints/endpoint-check.ts';
import type { PushOutcome, PushTarget, SendPush } from '../../push-outcome.ts';
import type { VapidKeySource } from '../../vapid-keys.ts';
import type { PushRequest, PushTransport } from './push-request.ts';

export type SendTo = (
  target: PushTarget,
  payload: PushPayload,
  how: Pick<PushRequest, 'ttlS' | 'urgency' | 'topic'>,
) => Promise<PushOutcome>;

type SenderOptions = {
  keys: VapidKeySource;
  /** Whom a push service may ask about these pushes: an address of https or mailto. */
  contact: string;
  /** `PUSH_ALLOW`. */
  allowedOrigins: readonly string[];
};

/** Signs with the keys of this server and sends over a transport. */
export function createSender(transport: PushTransport, { keys, contact, allowedOrigins }: SenderOptions): SendTo {
  return async ({ endpoint, p256dh, auth }, payload, how) =>
    transport.send({
      ...how,
      target: { endpoint, p256dh, auth },
      text: JSON.stringify(payload),
      vapid: { subject: contact, ...keys.read() },
      isAllowed: isAllowedOrigin(new URL(endpoint), allowedOrigins),
    });
}

/** Sends a single push that somebody waits for. */
export const createSendPush =
  (send: SendTo): SendPush =>
  (target, payload) =>
    send(target, payload, { ttlS: (5 * MINUTE_MS) / 1000, urgency: 'high', topic: null });
