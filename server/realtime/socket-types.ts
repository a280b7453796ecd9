import type { Namespace, Socket } from 'socket.io';
import type { ClientToServerEvents, ServerToClientEvents } from '#shared/events.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';

export type SocketData = { currentUser: CurrentUser };
export type RealtimeNamespace = Namespace<
  ClientToServerEvents,
  ServerToClientEvents,
  Record<string, never>,
  SocketData
>;

export type NamespaceSocket = Socket<ClientToServerEvents, ServerToClientEvents, Record<string, never>, SocketData>;
/** The connection of Engine.IO under a socket; it exists before the client has sent a token. */
export type Connection = NamespaceSocket['conn'];
