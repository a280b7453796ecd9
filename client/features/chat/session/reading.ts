import type { Side } from '#shared/chat-events.ts';
import { type ChatApi } from './api.ts';
import { applyUnread } from './conversation-list.ts';
import { type Conversation, moveCursor, numberOf, otherSide, sideOfMessage } from './conversation.ts';
import {
  changeConversation,
  type ChatStore,
  connectionAtom,
  conversationsAtom,
  type Identity,
  listAtom,
  readConversation,
} from './state.ts';

export type ReadingDeps = {
  store: ChatStore;
  identity: Identity;
  calls: Pick<ChatApi, 'seen'>;
  peerOf: (userId: string) => Promise<string>;
  emitDelivered: (userId: string, upTo: number) => void;
  /** The conversation that is open in front of somebody's eyes has changed. */
  onAttention: (userId: string | null) => void;
};

/** Long enough that a burst of messages is one call, short enough that the other side sees it at once. */
const GATHER_MS = 250;
const TRY_AGAIN_MS = 3000;
/** The server drops hints beyond 40 in 5 s; a long list of unread conversations must not use them all. */
const HINTS_AT_ONCE = 10;

function newestOf(conversation: Conversation, side: Side): number {
  const newest = conversation.messages.findLast((message) => sideOfMessage(message) === side);
  return newest ? numberOf(newest) : 0;
}

/** Tells the office or the resident what has reached a screen here (`delivered`) and what was read (`seen`). */
export function createReading({ store, identity, calls, peerOf, emitDelivered, onAttention }: ReadingDeps) {
  const { side } = identity;
  const hinted = new Map<string, number>();
  let watched: { userId: string; atBottom: boolean } | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let marking = false;
  let attended: string | null = null;

  const isVisible = (): boolean => document.visibilityState === 'visible';
  const isOpenAndFocused = (userId: string): boolean =>
    watched?.userId === userId && isVisible() && document.hasFocus();

  function attend(): void {
    const now = watched && isOpenAndFocused(watched.userId) ? watched.userId : null;
    if (now === attended) return;
    attended = now;
    onAttention(now);
  }

  function schedule(afterMs = GATHER_MS): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      hintDelivered();
      void markSeen();
    }, afterMs);
  }

  function arrivals(): [string, number][] {
    const found = new Map<string, number>();
    for (const [userId, conversation] of Object.entries(store.get(conversationsAtom))) {
      const newest = newestOf(conversation, otherSide(side));
      if (newest > conversation.delivered[side]) found.set(userId, newest);
    }
    if (side === 'admin') {
      for (const { summary } of Object.values(store.get(listAtom).entries)) {
        const { last_message, unread_count, other_user } = summary;
        if (unread_count === 0 || !last_message || last_message.from_admin) continue;
        const known = store.get(conversationsAtom)[other_user._id]?.delivered.admin ?? 0;
        if (Number(last_message._id) > known) found.set(other_user._id, Number(last_message._id));
      }
    }
    return [...found].filter(([userId, upTo]) => upTo > (hinted.get(userId) ?? 0));
  }

  function hintDelivered(): void {
    if (!isVisible() || !store.get(connectionAtom).socket) return;
    const due = arrivals();
    for (const [userId, upTo] of due.slice(0, HINTS_AT_ONCE)) {
      hinted.set(userId, upTo);
      emitDelivered(userId, upTo);
    }
    if (due.length > HINTS_AT_ONCE) schedule(TRY_AGAIN_MS);
  }

  async function markSeen(): Promise<void> {
    if (marking || !watched?.atBottom || !isOpenAndFocused(watched.userId)) return;
    const { userId } = watched;
    const conversation = readConversation(store, userId);
    const upTo = newestOf(conversation, otherSide(side));
    if (upTo <= conversation.seen[side]) return;
    marking = true;
    try {
      const { unread_count } = await calls.seen(await peerOf(userId), upTo);
      changeConversation(store, userId, (known) => moveCursor(known, 'seen', side, upTo));
      if (side === 'admin') noteRead(userId, unread_count);
    } catch {
      // Shown by the connection's state and the badge that stays; tried again as long as it is on the screen.
      schedule(TRY_AGAIN_MS);
    } finally {
      marking = false;
    }
  }

  /** The same figures come with the `unread` event, but there may be no socket. */
  function noteRead(userId: string, unreadCount: number): void {
    const list = store.get(listAtom);
    const before = list.entries[userId]?.summary.unread_count ?? unreadCount;
    const total = Math.max(0, (list.totalUnread ?? before) - (before - unreadCount));
    if (before === unreadCount) return;
    store.set(listAtom, applyUnread(list, { user_id: userId, unread_count: unreadCount, total_unread: total }));
  }

  const onChange = (): void => schedule();
  const onLook = (): void => {
    attend();
    schedule();
  };
  const undo = [
    store.sub(conversationsAtom, onChange),
    store.sub(listAtom, onChange),
    store.sub(connectionAtom, onChange),
  ];
  window.addEventListener('focus', onLook);
  window.addEventListener('blur', onLook);
  document.addEventListener('visibilitychange', onLook);

  return {
    /** Which conversation is open here, and whether its newest message is on the screen. */
    watch: (userId: string, atBottom: boolean): void => {
      watched = { userId, atBottom };
      onLook();
    },
    unwatch: (userId: string): void => {
      if (watched?.userId !== userId) return;
      watched = null;
      attend();
    },
    /** After a reconnect the server may not have heard the last hints. */
    hintAgain(): void {
      hinted.clear();
      schedule();
    },
    stop(): void {
      clearTimeout(timer);
      for (const step of undo) step();
      window.removeEventListener('focus', onLook);
      window.removeEventListener('blur', onLook);
      document.removeEventListener('visibilitychange', onLook);
    },
  };
}
export type Reading = ReturnType<typeof createReading>;
