import { atom, type createStore } from 'jotai';
import type { PresenceUpdate } from '#shared/events.ts';
import type { RealtimeConnection } from './socket.ts';

type Store = ReturnType<typeof createStore>;
type Presence = { onlineUserIds: ReadonlySet<string> };

const emptyPresence: Presence = { onlineUserIds: new Set() };

export const socketConnectedAtom = atom(false);
/** The number of connections of this page. Data loaded before the last one may lack an event. */
export const connectionNumberAtom = atom(0);
/** Known only while the socket is connected. */
export const presenceAtom = atom(emptyPresence);

function applyPresence(presence: Presence, update: PresenceUpdate): Presence {
  // Users learn with the state of the office whether an admin is online.
  if ('admin_online' in update) return presence;
  if ('online_user_ids' in update) return { onlineUserIds: new Set(update.online_user_ids) };
  const onlineUserIds = new Set(presence.onlineUserIds);
  if (update.online) onlineUserIds.add(update.user_id);
  else onlineUserIds.delete(update.user_id);
  return { onlineUserIds };
}

/**
 * Keeps the atoms of `store` in step with a connection until it is closed. The server sends the full presence only once, at
 * connect; so this must be bound before anything else that may come later.
 */
export function trackConnection(connection: RealtimeConnection, store: Store): RealtimeConnection {
  const { socket } = connection;
  const onConnect = (): void => {
    store.set(socketConnectedAtom, true);
    store.set(connectionNumberAtom, store.get(connectionNumberAtom) + 1);
  };
  const onDisconnect = (): void => {
    store.set(socketConnectedAtom, false);
    store.set(presenceAtom, emptyPresence);
  };
  const onPresence = (update: PresenceUpdate): void =>
    store.set(presenceAtom, applyPresence(store.get(presenceAtom), update));
  socket.on('connect', onConnect);
  socket.on('disconnect', onDisconnect);
  socket.on('presence', onPresence);
  if (socket.connected) onConnect();
  return {
    ...connection,
    close(): void {
      socket.off('connect', onConnect);
      socket.off('disconnect', onDisconnect);
      socket.off('presence', onPresence);
      connection.close();
      onDisconnect();
    },
  };
}
