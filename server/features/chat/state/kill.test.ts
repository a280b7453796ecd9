import { expect, it } from 'vitest';
import type { ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { startServerProcess, tempDataDir } from '#server/testing/program/server-process.ts';

const MINUTE = 60_000;
const ACKNOWLEDGED = 150;
const USERS = 5;
const password = 'rahasia-kantor';
const adminLogin = { email: 'ratna@kantor.id', password };

type SignedIn = { token: string; user: { id: string; name: string } };
/** The type of `data` is the caller's promise, as in the answers of the test app. */
type Answer = { status: number; data: never };
type State = Omit<ConversationStateUpdate, 'user_id'>;
type Action =
  | 'message'
  | 'answer'
  | 'notice'
  | 'claim'
  | 'dismiss'
  | 'undoDismiss'
  | 'snooze'
  | 'undoSnooze'
  | 'release';

async function call(url: string, token: string | null, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${url}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, data: ((await response.json()) as Answer).data };
}

/** The actions on a conversation by one person after another, over and over. */
const ACTIONS: Action[] = [
  'message',
  'notice',
  'claim',
  'message',
  'snooze',
  'notice',
  'undoSnooze',
  'dismiss',
  'undoDismiss',
  'release',
  'answer',
  'message',
  'dismiss',
  'snooze',
];
const inAnHour = new Date(Date.now() + 60 * MINUTE).toISOString();

/** One conversation with what the server acknowledged, and the one call that may or may not be stored. */
class Conversation {
  state: State = { state: 'done', claimed_by: null, snoozed_until: null, unanswered_since: null };
  private waitBeforeDismissal: string | null = null;
  newestId = '0';
  inFlight: Action | null = null;
  readonly user: SignedIn;
  readonly admin: SignedIn;
  /** A reported payment: each check and each undo of it writes a notice. */
  private record: TaxRecord;

  constructor(user: SignedIn, admin: SignedIn, record: TaxRecord) {
    this.user = user;
    this.admin = admin;
    this.record = record;
  }

  private checkOrUndo(url: string): Promise<Answer> {
    const { id, updated_at, verification } = this.record;
    const path = `/admin/tax-records/${id}/verification`;
    return verification.state === 'pending'
      ? call(url, this.admin.token, 'POST', path, { result: 'rejected', reason: 'Buram', updated_at })
      : call(url, this.admin.token, 'DELETE', path, { updated_at });
  }

  send(url: string, action: Action): Promise<Answer> {
    const path = `/admin/conversations/${this.user.user.id}`;
    const { token } = this.admin;
    const post = (name: string, body: unknown) => call(url, token, 'POST', `${path}/${name}`, body);
    const message = (from: SignedIn, to: SignedIn) =>
      call(url, from.token, 'POST', '/messages/send', { to_user_id: to.user.id, content: action });
    switch (action) {
      case 'message':
        return message(this.user, this.admin);
      case 'answer':
        return message(this.admin, this.user);
      case 'notice':
        return this.checkOrUndo(url);
      case 'claim':
        return post('claim', {});
      case 'release':
        return post('release', {});
      case 'dismiss':
        return post('dismiss', { up_to: this.newestId });
      case 'snooze':
        return post('snooze', { until: inAnHour, up_to: this.newestId });
      case 'undoDismiss':
        return call(url, token, 'DELETE', `${path}/dismiss`);
      case 'undoSnooze':
        return call(url, token, 'DELETE', `${path}/snooze`);
    }
  }

  /** @param sentAt of a message that this action stored */
  after(action: Action, sentAt: string | null): State {
    const { claimed_by, snoozed_until, unanswered_since } = this.state;
    const holder = { id: this.admin.user.id, name: this.admin.user.name };
    const changes: Record<Action, Partial<State>> = {
      message: { snoozed_until: null, unanswered_since: unanswered_since ?? sentAt },
      notice: {},
      answer: { unanswered_since: null, claimed_by: claimed_by ?? holder },
      claim: { claimed_by: holder },
      release: { claimed_by: null },
      dismiss: { unanswered_since: null, claimed_by: null },
      undoDismiss: { unanswered_since: this.waitBeforeDismissal ?? unanswered_since },
      snooze: { snoozed_until: inAnHour },
      undoSnooze: { snoozed_until: null },
    };
    const next = { claimed_by, snoozed_until, unanswered_since, ...changes[action] };
    const waiting = next.unanswered_since === null ? 'done' : 'waiting';
    return { ...next, state: next.snoozed_until === null ? waiting : 'snoozed' };
  }

  /** Does one thing after the other until the server is gone. */
  async use(url: string, onAcknowledged: () => void): Promise<void> {
    for (let step = 0; ; step += 1) {
      const action = ACTIONS[step % ACTIONS.length] ?? 'message';
      this.inFlight = action;
      const { status, data } = await this.send(url, action);
      expect([200, 201]).toContain(status);
      const isMessage = action === 'message' || action === 'answer';
      const next = this.after(action, isMessage ? (data as Message).createdAt : null);
      if (action === 'notice') this.record = data;
      else if (!isMessage) expect(data).toEqual({ user_id: this.user.user.id, ...next });
      if (isMessage) this.newestId = (data as Message).id;
      if (action === 'dismiss') this.waitBeforeDismissal = this.state.unanswered_since;
      this.state = next;
      this.inFlight = null;
      onAcknowledged();
    }
  }
}

it('keeps every acknowledged claim, dismissal and snooze despite kill -9, and half of none', async () => {
  const settings = {
    DATA_DIR: tempDataDir(),
    ADMIN_EMAIL: adminLogin.email,
    ADMIN_PASSWORD: password,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  };
  const first = startServerProcess(settings);
  const { url } = await first.ready();
  const admin: SignedIn = (await call(url, null, 'POST', '/auth/login', adminLogin)).data;
  const conversations: Conversation[] = [];
  for (let n = 0; n < USERS; n += 1) {
    const body = { name: `Warga ${n}`, email: `w${n}@contoh.id`, password, password_confirmation: password };
    const user: SignedIn = (await call(url, null, 'POST', '/auth/register', body)).data;
    const reported = { name: 'Warga', address: 'Jl. Melati 1', spt_number: `S-${n}`, amount: 1000, status: 'proses' };
    const { data } = await call(url, user.token, 'POST', '/tax-records', { tax_type: 'PBB', ...reported });
    conversations.push(new Conversation(user, admin, data));
  }
  let acknowledged = 0;
  const kill = (): void => {
    acknowledged += 1;
    if (acknowledged === ACKNOWLEDGED) first.child.kill('SIGKILL');
  };
  const ends = await Promise.allSettled(conversations.map((conversation) => conversation.use(url, kill)));
  // Each ended because the connection did, and not because an answer was wrong.
  expect(ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).name : ''))).toEqual(
    Array(USERS).fill('TypeError'),
  );
  expect(await first.exit()).toBe('SIGKILL');

  const { url: secondUrl } = await startServerProcess(settings).ready();
  const list: { data: ConversationSummary[] } = await call(
    secondUrl,
    admin.token,
    'GET',
    '/messages/conversations?all=1&limit=100',
  );
  for (const conversation of conversations) {
    const { id } = conversation.user.user;
    const row = list.data.find(({ other_user }) => other_user.id === id);
    const { data }: { data: History } = await call(secondUrl, admin.token, 'GET', `/messages/conversation/${id}`);
    const newest = data.messages.at(-1)?.createdAt ?? null;
    const { inFlight, state } = conversation;
    const { claimed_by, snoozed_until, unanswered_since } = row ?? {};
    const possible = inFlight === null ? [state] : [state, conversation.after(inFlight, newest)];
    expect(possible).toContainEqual({ state: row?.state, claimed_by, snoozed_until, unanswered_since });
  }
});
