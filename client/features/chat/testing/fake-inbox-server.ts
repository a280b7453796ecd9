import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import type { FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import type { ConversationsParams } from '../effects/api.ts';
import type { ConversationsAnswer } from '../state/model/conversation-list.ts';
import { toLastMessage } from '../state/model/last-message.ts';
import { buildMessage } from './build-chat-data.ts';

type Person = { id: string; name: string };
type Stored = {
  id: string;
  name: string;
  lastMessage: ConversationSummary['last_message'];
  unread: number;
  unansweredSince: string | null;
  /** Kept by a dismissal, for its undo. */
  dismissed: string | null;
  snoozedUntilMs: number;
  holder: Person | null;
  notes: number;
};

/** All conversations of an office in memory, for the inbox of an admin. It pushes to connected sockets. Needs fake timers. */
export function fakeInboxServer(adminId: string, userCount: number) {
  const sockets = new Set<Pick<FakeSocket, 'push'>>();
  const all = new Map<string, Stored>();
  let lastNumber = 0;
  let lastUserNumber = 0;

  const push: FakeSocket['push'] = (event, payload) => {
    for (const socket of sockets) socket.push(event, payload);
  };
  const isSnoozed = ({ snoozedUntilMs }: Stored): boolean => snoozedUntilMs > Date.now();
  function summaryOf(stored: Stored): ConversationSummary {
    const { id, name, lastMessage, unread, unansweredSince, holder, notes, snoozedUntilMs } = stored;
    const state = isSnoozed(stored) ? 'snoozed' : unansweredSince === null ? 'done' : 'waiting';
    return {
      other_user: { _id: id, id, name, email: `${id}@contoh.id`, has_email: true, is_active: true },
      unread_count: unread,
      last_message: lastMessage,
      unanswered_since: unansweredSince,
      state,
      claimed_by: holder,
      snoozed_until: isSnoozed(stored) ? new Date(snoozedUntilMs).toISOString() : null,
      note_count: notes,
    };
  }
  function pushState(stored: Stored): void {
    const { state = 'done', claimed_by = null, snoozed_until = null, unanswered_since } = summaryOf(stored);
    push('conversation:state', { user_id: stored.id, state, claimed_by, snoozed_until, unanswered_since });
  }
  function pushUnread({ id, unread }: Stored): void {
    const total = [...all.values()].reduce((sum, other) => sum + other.unread, 0);
    push('unread:changes', { changes: [{ user_id: id, unread_count: unread }], total_unread: total });
  }
  function register(): Stored {
    lastUserNumber += 1;
    const id = `u${String(lastUserNumber).padStart(4, '0')}`;
    const stored: Stored = {
      id,
      name: `Warga ${lastUserNumber}`,
      lastMessage: null,
      unread: 0,
      unansweredSince: null,
      dismissed: null,
      snoozedUntilMs: 0,
      holder: null,
      notes: 0,
    };
    all.set(id, stored);
    return stored;
  }
  for (let number = 1; number <= userCount; number += 1) register();

  /** The effect of each act on the conversation of a user, with the events that the real server sends. */
  const acts = {
    write(stored: Stored): void {
      const { id, name } = stored;
      const message = buildMessage({
        number: (lastNumber += 1),
        user_id: id,
        sender_id: id,
        sender_name: name,
        from_admin: false,
      });
      stored.lastMessage = toLastMessage(message);
      stored.unread += 1;
      stored.unansweredSince ??= message.createdAt;
      stored.dismissed = null;
      stored.snoozedUntilMs = 0;
      push('message:new', message);
      pushUnread(stored);
      pushState(stored);
    },
    answer(stored: Stored, admin: Person): void {
      const message = buildMessage({
        number: (lastNumber += 1),
        user_id: stored.id,
        sender_id: admin.id,
        sender_name: admin.name,
      });
      stored.lastMessage = toLastMessage(message);
      stored.unansweredSince = null;
      stored.dismissed = null;
      stored.holder ??= admin;
      push('message:new', message);
      pushState(stored);
    },
    /** A notice about the act of an admin on a record: it does not change which users wait. */
    notice(stored: Stored, admin: Person): void {
      const message = buildMessage({
        number: (lastNumber += 1),
        user_id: stored.id,
        sender_id: admin.id,
        sender_name: admin.name,
        kind: 'notice',
      });
      stored.lastMessage = toLastMessage(message);
      push('message:new', message);
    },
    /** A notice about the act of a user: unread for the admins, and no question. */
    userNotice(stored: Stored): void {
      const { id, name } = stored;
      const message = buildMessage({
        number: (lastNumber += 1),
        user_id: id,
        sender_id: id,
        sender_name: name,
        from_admin: false,
        kind: 'notice',
      });
      stored.lastMessage = toLastMessage(message);
      stored.unread += 1;
      push('message:new', message);
      pushUnread(stored);
    },
    read(stored: Stored): void {
      stored.unread = 0;
      pushUnread(stored);
    },
    claim(stored: Stored, admin: Person): void {
      stored.holder = admin;
      pushState(stored);
    },
    release(stored: Stored): void {
      stored.holder = null;
      pushState(stored);
    },
    dismiss(stored: Stored): void {
      stored.dismissed = stored.unansweredSince ?? stored.dismissed;
      stored.unansweredSince = null;
      pushState(stored);
    },
    undoDismiss(stored: Stored): void {
      stored.unansweredSince ??= stored.dismissed;
      stored.dismissed = null;
      pushState(stored);
    },
    snooze(stored: Stored): void {
      const untilMs = Date.now() + 4000;
      stored.snoozedUntilMs = untilMs;
      pushState(stored);
      setTimeout(() => stored.snoozedUntilMs === untilMs && pushState(stored), 4000);
    },
    note(stored: Stored): void {
      stored.notes += 1;
      push('note:changed', { user_id: stored.id });
    },
    clear(stored: Stored): void {
      Object.assign(stored, {
        lastMessage: null,
        unread: 0,
        unansweredSince: null,
        dismissed: null,
        snoozedUntilMs: 0,
        holder: null,
      });
      push('conversation:deleted', { user_id: stored.id });
      pushUnread(stored);
      pushState(stored);
    },
    /** Deletes what is older than the last message, as the retention does. */
    clearOlder(stored: Stored): void {
      push('conversation:deleted', { user_id: stored.id });
      if (stored.unread <= 1) return;
      stored.unread = 1;
      pushUnread(stored);
    },
    remove({ id, name }: Stored): void {
      all.delete(id);
      const user = { id, name, email: `${id}@contoh.id`, has_email: true, is_admin: false, is_active: true };
      push('user:changed', { change: 'deleted', user });
    },
    register(): void {
      const { id, name } = register();
      const user = { id, name, email: `${id}@contoh.id`, has_email: true, is_admin: false, is_active: true };
      push('user:changed', { change: 'created', user });
    },
  } satisfies Record<string, (stored: Stored, admin: Person) => void>;

  /** All rows of a list, in its order; written apart from the client's own order. */
  function rowsOf({ state, sort, unread, all: everybody, user_ids }: Omit<ConversationsParams, 'limit' | 'page'>) {
    const ids = user_ids?.split(',');
    const rows = [...all.values()].map(summaryOf).filter((row) => {
      if (ids && !ids.includes(row.other_user._id)) return false;
      if (unread && row.unread_count === 0) return false;
      if (state === 'mine') return row.claimed_by?.id === adminId;
      if (state === 'waiting' || state === 'snoozed') return row.state === state;
      return everybody || row.last_message !== null;
    });
    const number = ({ last_message }: ConversationSummary): number => Number(last_message?._id ?? 0);
    const since = ({ unanswered_since }: ConversationSummary): string => unanswered_since ?? '~';
    const byId = (a: ConversationSummary, b: ConversationSummary): number =>
      a.other_user._id.localeCompare(b.other_user._id);
    return sort === 'waiting'
      ? rows.toSorted((a, b) => since(a).localeCompare(since(b)) || byId(a, b))
      : rows.toSorted((a, b) => number(b) - number(a) || byId(b, a));
  }
  function counts() {
    const rows = [...all.values()].map(summaryOf);
    return {
      waiting: rows.filter(({ state }) => state === 'waiting').length,
      unread: rows.filter(({ unread_count }) => unread_count > 0).length,
      snoozed: rows.filter(({ state }) => state === 'snoozed').length,
      mine: rows.filter(({ claimed_by }) => claimed_by?.id === adminId).length,
    };
  }

  return {
    sockets,
    acts,
    rowsOf,
    counts,
    /** The conversation of the user at this place, counted from the first registered one. */
    at: (index: number): Stored | undefined => [...all.values()][index % Math.max(all.size, 1)],
    answer({ limit, page, ...params }: ConversationsParams): ConversationsAnswer {
      return { data: rowsOf(params).slice((page - 1) * limit, page * limit), counts: counts() };
    },
  };
}
