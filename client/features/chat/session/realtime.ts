import type { ChatSocket, SocketEvents } from '#client/realtime/socket.ts';
import type { RecordChange } from '#shared/chat-events.ts';
import type { Message } from '#shared/api/chat.ts';
import { applyUnread, clearInList, receiveInList } from './conversation-list.ts';
import { moveCursor, sideOfMessage } from './conversation.ts';
import { forgetTyping, nobody, notePresence, noteTyping, noteViewing, stopTyping } from './live.ts';
import type { ListSync } from './list-sync.ts';
import { changeConversation, type ChatStore, connectionAtom, type Identity, listAtom, liveAtom } from './state.ts';
import type { Sync } from './sync.ts';

export type RealtimeDeps = {
  identity: Identity;
  sync: Pick<Sync, 'receive' | 'clear'>;
  lists: Pick<ListSync, 'lookUp' | 'shiftUp'>;
  /** Connected: time to reload what is shown, to flush the outbox and to stop polling. */
  onConnect: () => void;
  onDisconnect: () => void;
  /** A message of the other side was pushed. */
  onIncoming: (message: Message) => void;
  onSeenHere: (userId: string, upTo: number) => void;
  onRecordChange: (change: RecordChange) => void;
};

const FORGET_EVERY_MS = 1000;

/** Lets a socket's pushes change the store. @returns the undo */
export function bindChat(socket: ChatSocket, store: ChatStore, deps: RealtimeDeps): () => void {
  const { identity, sync, lists } = deps;
  // A resident has one conversation; it is kept under one name here even before the stored user has an id.
  const own = (userId: string): string => (identity.side === 'user' ? identity.selfId : userId);
  const undo: (() => void)[] = [];

  function on<E extends keyof SocketEvents>(event: E, listener: SocketEvents[E]): void {
    socket.on(event, listener);
    undo.push(() => void socket.off(event, listener));
  }
  const setSocket = (connected: boolean): void =>
    store.set(connectionAtom, { ...store.get(connectionAtom), socket: connected });

  function onConnect(): void {
    setSocket(true);
    deps.onConnect();
  }
  on('connect', onConnect);
  on('disconnect', () => {
    // Offline until a poll or the next connection proves otherwise.
    store.set(connectionAtom, { socket: false, polled: false });
    store.set(liveAtom, nobody);
    deps.onDisconnect();
  });
  on('message:new', (message) => {
    const userId = own(message.user_id);
    sync.receive(message, userId);
    if (identity.side === 'admin') {
      store.set(listAtom, receiveInList(store.get(listAtom), message));
      void lists.lookUp(userId);
    }
    store.set(liveAtom, stopTyping(store.get(liveAtom), userId, message.sender_id));
    if (sideOfMessage(message) !== identity.side) deps.onIncoming(message);
  });
  on('unread', (unread) => store.set(listAtom, applyUnread(store.get(listAtom), unread)));
  on('conversation:seen', ({ user_id, by, up_to }) => {
    changeConversation(store, own(user_id), (known) => moveCursor(known, 'seen', by, Number(up_to)));
    if (by === identity.side) deps.onSeenHere(own(user_id), Number(up_to));
  });
  on('conversation:delivered', ({ user_id, by, up_to }) =>
    changeConversation(store, own(user_id), (known) => moveCursor(known, 'delivered', by, Number(up_to))),
  );
  on('conversation:deleted', ({ user_id }) => {
    store.set(listAtom, clearInList(store.get(listAtom), user_id));
    lists.shiftUp();
    sync.clear(own(user_id));
  });
  on('typing', (typing) =>
    store.set(liveAtom, noteTyping(store.get(liveAtom), { ...typing, user_id: own(typing.user_id) }, Date.now())),
  );
  on('viewing', (viewing) => store.set(liveAtom, noteViewing(store.get(liveAtom), viewing)));
  on('presence', (presence) => store.set(liveAtom, notePresence(store.get(liveAtom), presence)));
  on('tax-record:changed', deps.onRecordChange);

  const forget = setInterval(() => {
    const live = store.get(liveAtom);
    if (Object.keys(live.typing).length > 0) store.set(liveAtom, forgetTyping(live, Date.now()));
  }, FORGET_EVERY_MS);
  undo.push(() => clearInterval(forget));

  if (socket.connected) onConnect();
  return () => {
    for (const step of undo) step();
  };
}
