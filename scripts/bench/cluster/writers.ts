import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi } from '../kill/api-call.ts';
import { type Acknowledged, createAcknowledged, noteClaim } from './acknowledged.ts';

type Account = { id: string; token: string };

const RETRY_AFTER_MS = 50;
const PAUSE_MS = 5;
/** One message in so many has a file, and after one the other of two administrators takes the conversation. */
const FILE_EVERY = 12;
const CLAIM_EVERY = 15;

/** The smallest PNG: one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export type Writers = {
  acknowledged: Acknowledged;
  /** Answers other than 200 and 201, by kind. */
  failures: Map<string, number>;
  /** @returns when the first message that was sent, or sent again, after this moment was acknowledged, in milliseconds from now */
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

/** A second administrator, who takes conversations from the first. */
async function makeColleague(url: string, token: string, password: string): Promise<Account> {
  const colleague = { name: 'Bu Sari', email: 'sari@contoh.id', password: 'kata-sandi-rekan' };
  const body = { ...colleague, is_admin: true, current_password: password };
  const { status } = await callApi(url, { method: 'POST', path: '/api/admin/users', token, body });
  if (status !== 201) throw new Error(`the second administrator was answered with ${status}`);
  return logIn(url, colleague.email, colleague.password);
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
  const admins = [office, await makeColleague(first, office.token, admin.password)];
  const users: Account[] = [];
  for (let index = 0; index < count; index += 1) users.push(await register(first, index));

  const acknowledged = createAcknowledged();
  const failures = new Map<string, number>();
  const waiting: { sentAfter: number; resolve: () => void }[] = [];
  const stopping = new AbortController();
  const isGoingOn = (): boolean => !stopping.signal.aborted;

  function noteFailure(kind: string): void {
    failures.set(kind, (failures.get(kind) ?? 0) + 1);
  }

  /** Calls one process after the other until one answers with success. */
  async function callUntilDone(start: number, call: Omit<Parameters<typeof callApi>[1], 'token'>, token: string) {
    for (let tries = start; isGoingOn(); tries += 1) {
      const sentAtMs = performance.now();
      const answer = await callApi(urls[tries % urls.length] ?? first, { ...call, token });
      if (answer.status === 200 || answer.status === 201)
        return { ...(answer.body as { data: { id: string; size: number } }), sentAtMs };
      noteFailure(answer.kind);
      await sleep(RETRY_AFTER_MS);
    }
    return null;
  }

  async function claim(user: Account, start: number, index: number): Promise<void> {
    const holder = admins[index] ?? office;
    const before = acknowledged.claims.get(user.id);
    // A claim without an answer may be stored or not.
    acknowledged.claims.delete(user.id);
    const path = `/api/admin/conversations/${user.id}/claim`;
    const claimed = await callUntilDone(start, { method: 'POST', path, body: { take: true } }, holder.token);
    if (claimed) noteClaim(acknowledged, user.id, { holderId: holder.id, atMs: performance.now() }, before);
  }

  async function write(user: Account, writer: number): Promise<void> {
    for (let number = 0; isGoingOn(); number += 1) {
      const clientId = randomUUID();
      const content = `Pesan ${number} dari ${writer}`;
      const attachmentIds: string[] = [];
      if (number % FILE_EVERY === 0) {
        const form = new FormData();
        form.append('file', new Blob([PIXEL], { type: 'image/png' }), 'struk.png');
        const uploaded = await callUntilDone(
          writer,
          { method: 'POST', path: '/api/messages/attachments', body: form },
          user.token,
        );
        if (uploaded) {
          attachmentIds.push(uploaded.data.id);
          acknowledged.files.push({ id: uploaded.data.id, userId: user.id, bytes: uploaded.data.size });
        }
      }
      const body = { to_user_id: office.id, content, client_id: clientId, attachment_ids: attachmentIds };
      const sent = await callUntilDone(
        writer + number,
        { method: 'POST', path: '/api/messages/send', body },
        user.token,
      );
      if (!sent) return;
      acknowledged.messages.push({ id: sent.data.id, userId: user.id, clientId, content, attachmentIds });
      for (const waiter of waiting.splice(0)) {
        if (waiter.sentAfter <= sent.sentAtMs) waiter.resolve();
        else waiting.push(waiter);
      }
      if (number % CLAIM_EVERY === 0) await claim(user, writer + number, (number / CLAIM_EVERY) % admins.length);
      await sleep(PAUSE_MS);
    }
  }

  const running = users.map(write);
  return {
    acknowledged,
    failures,
    async firstAfterNow() {
      const at = performance.now();
      await new Promise<void>((resolve) => waiting.push({ sentAfter: at, resolve }));
      return performance.now() - at;
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
