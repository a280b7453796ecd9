import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import type { Side } from '#shared/events.ts';
import { type ChatApi } from '../api.ts';
import { applyUnreadToList } from '../list/conversation-list-state.ts';
import { type Conversation, advanceCursor, idNumberOf, otherSide, sideOfMessage } from '../conversation.ts';
import {
  changeConversation,
  type ChatStore,
  connectionHealthAtom,
  conversationsAtom,
  type ChatCurrentUser,
  listAtom,
  readConversation,
} from '../state.ts';

export type ReadReceiptsDeps = {
  store: ChatStore;
  currentUser: ChatCurrentUser;
  api: Pick<ChatApi, 'markSeen'>;
  resolvePeerId: (userId: string) => Promise<string>;
  emitDelivered: (userId: string, upTo: number) => void;
  /** The conversation that is open, visible and focused has changed. */
  onReadingChange: (userId: string | null) => void;
};

/** Long enough that a burst of messages is one call, short enough that the other side sees it at once. */
const BATCH_DELAY_MS = 250;
const RETRY_MS = 3000;
/** The server drops client events beyond 40 in 5 s; a long list of unread conversations must not use them all. */
const DELIVERED_EVENTS_PER_BATCH = 10;

function newestIdOf(conversation: Conversation, side: Side): number {
  const newest = conversation.messages.findLast((message) => sideOfMessage(message) === side);
  return newest ? idNumberOf(newest) : 0;
}

/** Reports which messages reached this visible tab (`delivered`) and which were read in it (`seen`), by R-CHAT-21. */
export function createReadReceipts({
  store,
  currentUser,
  api,
  resolvePeerId,
  emitDelivered,
  onReadingChange,
}: ReadReceiptsDeps) {
  const { side } = currentUser;
  const emittedUpTo = new Map<string, number>();
  /** The conversations that are open here, and whether the end of each is on the screen. */
  const openConversations = new Map<string, { atBottom: boolean }>();
  let focusedUserId: string | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isMarkingSeen = false;
  let readingUserId: string | null = null;

  const isVisible = (): boolean => document.visibilityState === 'visible';

  /** The conversation that somebody reads here: of several side by side the one that has, or last had, the focus. */
  function findReadUserId(): string | null {
    if (!isVisible() || !document.hasFocus()) return null;
    if (focusedUserId !== null && openConversations.has(focusedUserId)) return focusedUserId;
    const [only, ...others] = openConversations.keys();
    return others.length === 0 ? (only ?? null) : null;
  }

  function updateReading(): void {
    const nextUserId = findReadUserId();
    if (nextUserId === readingUserId) return;
    readingUserId = nextUserId;
    onReadingChange(nextUserId);
  }

  function schedule(afterMs = BATCH_DELAY_MS): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      emitDueDelivered();
      void markSeen();
    }, afterMs);
  }

  function findUndelivered(): [string, number][] {
    const found = new Map<string, number>();
    for (const [userId, conversation] of Object.entries(store.get(conversationsAtom))) {
      const newest = newestIdOf(conversation, otherSide(side));
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
    return [...found].filter(([userId, upTo]) => upTo > (emittedUpTo.get(userId) ?? 0));
  }

  function emitDueDelivered(): void {
    if (!isVisible() || !store.get(socketConnectedAtom)) return;
    const due = findUndelivered();
    for (const [userId, upTo] of due.slice(0, DELIVERED_EVENTS_PER_BATCH)) {
      emittedUpTo.set(userId, upTo);
      emitDelivered(userId, upTo);
    }
    if (due.length > DELIVERED_EVENTS_PER_BATCH) schedule(RETRY_MS);
  }

  async function markSeen(): Promise<void> {
    const userId = findReadUserId();
    if (isMarkingSeen || userId === null || openConversations.get(userId)?.atBottom !== true) return;
    const conversation = readConversation(store, userId);
    const upTo = newestIdOf(conversation, otherSide(side));
    if (upTo <= conversation.seen[side]) return;
    isMarkingSeen = true;
    try {
      const { unread_count } = await api.markSeen(await resolvePeerId(userId), upTo);
      changeConversation(store, userId, (known) => advanceCursor(known, 'seen', side, upTo));
      if (side === 'admin') applyUnreadCount(userId, unread_count);
    } catch {
      // The connection state and the remaining badge show it; repeated while the message is visible.
      schedule(RETRY_MS);
    } finally {
      isMarkingSeen = false;
    }
    // Another one may have got the focus meanwhile.
    if (findReadUserId() !== userId) schedule();
  }

  /** The `unread` event brings the same counts, but there may be no socket. */
  function applyUnreadCount(userId: string, unreadCount: number): void {
    const list = store.get(listAtom);
    const before = list.entries[userId]?.summary.unread_count ?? unreadCount;
    const total = Math.max(0, (list.totalUnread ?? before) - (before - unreadCount));
    if (before === unreadCount) return;
    store.set(listAtom, applyUnreadToList(list, { user_id: userId, unread_count: unreadCount, total_unread: total }));
  }

  const onChange = (): void => schedule();
  const onVisibilityChange = (): void => {
    updateReading();
    schedule();
  };
  const unsubscribers = [
    store.sub(conversationsAtom, onChange),
    store.sub(listAtom, onChange),
    store.sub(connectionHealthAtom, onChange),
  ];
  window.addEventListener('focus', onVisibilityChange);
  window.addEventListener('blur', onVisibilityChange);
  document.addEventListener('visibilitychange', onVisibilityChange);

  return {
    /** A conversation is open here; `atBottom`: its newest message is visible. */
    watch: (userId: string, atBottom: boolean): void => {
      openConversations.set(userId, { atBottom });
      onVisibilityChange();
    },
    unwatch: (userId: string): void => {
      if (openConversations.delete(userId)) updateReading();
    },
    /** Which of several open conversations has the focus; the others stay unread, although they are visible. */
    setFocused: (userId: string | null): void => {
      focusedUserId = userId;
      onVisibilityChange();
    },
    /** After a reconnect the server may have missed the last events. */
    emitDeliveredAgain(): void {
      emittedUpTo.clear();
      schedule();
    },
    stop(): void {
      clearTimeout(timer);
      for (const step of unsubscribers) step();
      window.removeEventListener('focus', onVisibilityChange);
      window.removeEventListener('blur', onVisibilityChange);
      document.removeEventListener('visibilitychange', onVisibilityChange);
    },
  };
}
export type ReadReceipts = ReturnType<typeof createReadReceipts>;
