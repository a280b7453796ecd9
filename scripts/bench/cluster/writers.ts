import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../kill/api-call.ts';

type Account = { id: string; token: string };
/** A message that the server has acknowledged, or that waits to be sent again, as in the outbox of a page. */
export type Sent = { userId: string; clientId: string; content: string };

const RETRY_AFTER_MS = 50;
const PAUSE_MS = 5;
/** One message in so many has a file, and one is answered by an administrator who takes the conversation. */
const FILE_EVERY = 12;
const CLAIM_EVERY = 15;

/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type Writers = {
  /** All that was acknowledged so far. */
  acknowledged: Sent[];
  /** Answers other than 200 and 201, by kind. */
  failures: Map<string, number>;
  /** @returns when the first message that began after this moment was acknowledged, in milliseconds from now */
  firstAfterNow: () => Promise<number>;
  /** Ends after the message that each writer has begun. */
  stop: () => Promise<void>;
};

export async function logIn(url: string, email: string, password: string): Promise<Account> {
  const answer = await callApi(url, { method: 'POST', path: '/api/auth/login', body: { email, password } });
  const { data } = answer.body as { data: { token: string; user: { id: string } } };
  return { id: data.user.id, token: data.token };
}

async function register(url: string, index: number): Promise<Account> {
  const password = 'kata-sandi-warga';
  const body = { name: `Warga ${index}`, email: `warga${index}@contoh.id`, password, password_confirmation: password };
  const answer = await callApi(url, { method: 'POST', path: '/api/auth/register', body });
  const { data } = answer.body as { data: { token: string; user: { id: string } } };
  return { id: data.user.id, token: data.token };
}

/**
 * Starts users who send without a pause, each to any process that answers, again and again with the same `client_id` until one
 * acknowledges.
 * @param urls of the processes
 */
export async function startWriters(
  urls: readonly string[],
  count: number,
  admin: { email: string; password: string },
): Promise<Writers> {
  const [first = ''] = urls;
  const office = await logIn(first, admin.email, admin.password);
  const users: Account[] = [];
  for (let index = 0; index < count; index += 1) users.push(await register(first, index));

  const acknowledged: Sent[] = [];
  const failures = new Map<string, number>();
  const waiting: { beganAfter: number; resolve: () => void }[] = [];
  const stopping = new AbortController();
  const isGoingOn = (): boolean => !stopping.signal.aborted;

  function noteFailure(kind: string): void {
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  }

  /** Calls one process after the other until one answers with success. */
  async function callUntilDone(start: number, call: Omit<Parameters<typeof callApi>[1], 'token'>, token: string) {
    for (let tries = start; isGoingOn(); tries += 1) {
      const answer = await callApi(urls[tries % urls.length] ?? first, { ...call, token });
      if (answer.status === 200 || answer.status === 201) return answer.body as { data: { id: string } };
      noteFailure(answer.kind);
      await sleep(RETRY_AFTER_MS);
    }
    return null;
  }

  async function write(user: Account, writer: number): Promise<void> {
    for (let number = 0; isGoingOn(); number += 1) {
      const clientId = randomUUID();
      const content = `Pesan ${number} dari ${writer}`;
      const beganAt = performance.now();
      const attachmentIds: string[] = [];
      if (number % FILE_EVERY === 0) {
        const form = new FormData();
        form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'struk.png');
        const uploaded = await callUntilDone(
          writer,
          { method: 'POST', path: '/api/messages/attachments', body: form },
          user.token,
        );
        if (uploaded) attachmentIds.push(uploaded.data.id);
      }
      const body = { to_user_id: office.id, content, client_id: clientId, attachment_ids: attachmentIds };
      const sent = await callUntilDone(
        writer + number,
        { method: 'POST', path: '/api/messages/send', body },
        user.token,
      );
      if (!sent) return;
      acknowledged.push({ userId: user.id, clientId, content });
      for (const waiter of waiting.splice(0)) {
        if (waiter.beganAfter <= beganAt) waiter.resolve();
        else waiting.push(waiter);
      }
      if (number % CLAIM_EVERY === 0) {
        const path = `/api/admin/conversations/${user.id}/claim`;
        const claimed = await callApi(urls[number % urls.length] ?? first, {
          method: 'POST',
          path,
          token: office.token,
          body: {},
        });
        if (claimed.status !== 200) noteFailure(`claim ${claimed.kind}`);
      }
      await sleep(PAUSE_MS);
    }
  }

  const running = users.map(write);
  return {
    acknowledged,
    failures,
    async firstAfterNow() {
      const at = performance.now();
      await new Promise<void>((resolve) => waiting.push({ beganAfter: at, resolve }));
      return performance.now() - at;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
