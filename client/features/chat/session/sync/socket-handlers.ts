import type { RealtimeClientSocket, SocketEvents } from '#client/realtime/socket.ts';
import type { Message } from '#shared/api/chat.ts';
import type { ServerToClientEvents } from '#shared/events.ts';
import {
  applyUnreadToList,
  applyUserDetails,
  clearConversationInList,
  applyMessageToList,
  removeUserFromList,
} from '../list/conversation-list-state.ts';
import { advanceCursor, sideOfMessage } from '../conversation.ts';
import { expireTyping, emptyEphemeralState, applyTyping, applyViewing, removeTypist } from '../ephemeral-state.ts';
import { createEventBatch } from './event-batch.ts';
import type { ListSync } from './list-sync.ts';
import {
  changeConversation,
  changedUsersAtom,
  type ChatStore,
  lastPollSucceededAtom,
  type ChatCurrentUser,
  listAtom,
  ephemeralStateAtom,
} from '../state.ts';
import type { ConversationSync } from './conversation-sync.ts';

export type SocketHandlersDeps = {
  currentUser: ChatCurrentUser;
  conversationSync: Pick<ConversationSync, 'receive' | 'clear'>;
  listSync: Pick<ListSync, 'applyState' | 'changed' | 'lookUp' | 'reloadKnown' | 'shiftUp'>;
  /** Connected: reload what is on the screen, send waiting messages and stop polling. */
  onConnect: () => void;
  onDisconnect: () => void;
  /** A message of the other side arrived. */
  onIncomingMessage: (message: Message) => void;
  onSeenByOwnSide: (userId: string, upTo: number) => void;
  onRecordChanged: (userId: string, recordId: string) => void;
};

const TYPING_EXPIRY_CHECK_MS = 1000;

/** Applies the events of a socket to the store. @returns the undo */
export function bindSocketHandlers(
  socket: RealtimeClientSocket,
  store: ChatStore,
  deps: SocketHandlersDeps,
): () => void {
  const { currentUser, conversationSync, listSync } = deps;
  // A user's only conversation has one key here, even before the stored user has an id.
  const conversationIdOf = (userId: string): string => (currentUser.side === 'user' ? currentUser.id : userId);
  const undoSteps: (() => void)[] = [];

  const batch = createEventBatch();
  undoSteps.push(() => batch.stop());
  function bind<E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]): void {
    socket.on(event, listener);
    undoSteps.push(() => void socket.off(event, listener));
  }
  function on<E extends keyof ServerToClientEvents>(
    event: E,
    listener: (payload: Parameters<ServerToClientEvents[E]>[0]) => void,
  ): void {
    bind(event, (payload: Parameters<ServerToClientEvents[E]>[0]) => batch.run(() => listener(payload)));
  }

  bind('connect', () => {
    batch.flush();
    // An event may have been missed meanwhile, except after a deletion, which is final.
    const known = Object.entries(store.get(changedUsersAtom));
    store.set(changedUsersAtom, Object.fromEntries(known.filter(([, { change }]) => change === 'deleted')));
    deps.onConnect();
  });
  bind('disconnect', () => {
    batch.flush();
    // Offline until a poll or the next connection proves otherwise.
    store.set(lastPollSucceededAtom, false);
    store.set(ephemeralStateAtom, emptyEphemeralState);
    deps.onDisconnect();
  });
  on('message:new', (message) => {
    const userId = conversationIdOf(message.user_id);
    conversationSync.receive(message, userId);
    if (currentUser.side === 'admin') {
      store.set(listAtom, applyMessageToList(store.get(listAtom), message));
      listSync.lookUp(userId);
      listSync.changed();
    }
    store.set(ephemeralStateAtom, removeTypist(store.get(ephemeralStateAtom), userId, message.sender_id));
    if (sideOfMessage(message) !== currentUser.side) deps.onIncomingMessage(message);
  });
  on('unread', (unread) => {
    store.set(listAtom, applyUnreadToList(store.get(listAtom), unread));
    if (currentUser.side === 'admin') {
      listSync.lookUp(unread.user_id);
      listSync.changed();
    }
  });
  on('conversation:state', (update) => {
    listSync.applyState(update);
    listSync.changed();
  });
  on('note:changed', ({ user_id }) => listSync.reloadKnown(user_id));
  on('conversation:seen', ({ user_id, by, up_to }) => {
    changeConversation(store, conversationIdOf(user_id), (known) => advanceCursor(known, 'seen', by, Number(up_to)));
    if (by === currentUser.side) deps.onSeenByOwnSide(conversationIdOf(user_id), Number(up_to));
  });
  on('conversation:delivered', ({ user_id, by, up_to }) =>
    changeConversation(store, conversationIdOf(user_id), (known) =>
      advanceCursor(known, 'delivered', by, Number(up_to)),
    ),
  );
  on('conversation:deleted', ({ user_id }) => {
    store.set(listAtom, clearConversationInList(store.get(listAtom), user_id));
    listSync.shiftUp();
    if (currentUser.side === 'admin') {
      listSync.lookUp(user_id);
      listSync.changed();
    }
    conversationSync.clear(conversationIdOf(user_id));
  });
  on('user:changed', (changed) => {
    const { user, change } = changed;
    store.set(changedUsersAtom, { ...store.get(changedUsersAtom), [user.id]: changed });
    const list = store.get(listAtom);
    const isListed = change !== 'deleted' && !user.is_admin;
    store.set(
      listAtom,
      isListed ? applyUserDetails(list, { ...user, _id: user.id }) : removeUserFromList(list, user.id),
    );
    if (isListed) listSync.lookUp(user.id);
    else listSync.changed();
  });
  on('tax-record:changed', ({ id, user_id }) => deps.onRecordChanged(conversationIdOf(user_id), id));
  on('typing', (typing) =>
    store.set(
      ephemeralStateAtom,
      applyTyping(store.get(ephemeralStateAtom), { ...typing, user_id: conversationIdOf(typing.user_id) }, Date.now()),
    ),
  );
  on('viewing', (viewing) => store.set(ephemeralStateAtom, applyViewing(store.get(ephemeralStateAtom), viewing)));

  const expiryTimer = setInterval(() => {
    const state = store.get(ephemeralStateAtom);
    if (Object.keys(state.typing).length > 0) store.set(ephemeralStateAtom, expireTyping(state, Date.now()));
  }, TYPING_EXPIRY_CHECK_MS);
  undoSteps.push(() => clearInterval(expiryTimer));

  if (socket.connected) deps.onConnect();
  return () => {
    for (const step of undoSteps) step();
  };
}
