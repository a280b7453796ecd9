import type { PushOutcome, PushTarget } from '../../push-outcome.ts';

/** One push as it is sent: what the thread needs to encrypt, sign and post it. It can be cloned between threads. */
export type PushRequest = {
  target: PushTarget;
  /** What the service worker of the browser reads. */
  text: string;
  /** How long the push service keeps it for a phone that is off. */
  ttlS: number;
  /** 'high' reaches a phone that sleeps. */
  urgency: 'high' | 'normal';
  /** A newer push of the same topic replaces one that waits at the push service; at most 32 characters of base64url. */
  topic: string | null;
  vapid: { subject: string; publicKey: string; privateKey: string };
  /** The origin of the endpoint is in `PUSH_ALLOW`: neither its address nor its certificate is checked. */
  isAllowed: boolean;
};

/** Why nothing was sent: the endpoint leads to an address that is not public. */
export const NOT_PUBLIC = 'NOT_PUBLIC';

/** Why nothing was sent: the thread that sends could not start, or ended. No push service is to blame. */
export const THREAD_ENDED = 'THREAD_ENDED';

/** Encrypts and posts pushes. `send` never throws. */
export type PushTransport = {
  send: (request: PushRequest) => Promise<PushOutcome>;
  close: () => Promise<void>;
};
