import type { Message } from '#shared/api/chat.ts';

/**
 * The typed Socket.IO events of the `/chat` namespace (contract 5). The socket pushes; every write goes through REST.
 * No schema here: what the client loads at its first page must not bring the schema library with it.
 */

export const CHAT_NAMESPACE = '/chat';
/** Messages of `connect_error`: the session does not count; the server could not tell, try again. */
export const UNAUTHORIZED = 'unauthorized';
export const UNAVAILABLE = 'unavailable';

export type Side = 'user' | 'admin';
export type UnreadUpdate = { user_id: string; unread_count: number; total_unread: number };
/** A position that only grows. Who has seen a message also had it delivered: then both events come. */
export type Cursor = { user_id: string; by: Side; up_to: string };
export type Typing = { user_id: string; sender_id: string; name: string; typing: boolean };
export type Viewing = { user_id: string; viewers: { id: string; name: string }[] };
/** To residents the first form; to administrators the second once at connect, then the third. */
export type PresenceUpdate =
  | { admin_online: boolean }
  | { online_user_ids: string[] }
  | { user_id: string; online: boolean };
export type RecordChange = { id: string; user_id: string; change: 'created' | 'updated' | 'deleted' };

export type ServerToClientEvents = {
  'message:new': (message: Message) => void;
  unread: (payload: UnreadUpdate) => void;
  'conversation:seen': (payload: Cursor) => void;
  'conversation:delivered': (payload: Cursor) => void;
  'conversation:deleted': (payload: { user_id: string }) => void;
  typing: (payload: Typing) => void;
  viewing: (payload: Viewing) => void;
  presence: (payload: PresenceUpdate) => void;
  'tax-record:changed': (payload: RecordChange) => void;
  'session:ended': (payload: { message: string }) => void;
};

/** Hints: none acknowledged, all validated, harmless whatever their payload is. */
export type ClientToServerEvents = {
  typing: (payload: { user_id?: string; typing: boolean }) => void;
  viewing: (payload: { user_id: string | null }) => void;
  delivered: (payload: { user_id?: string; up_to: string }) => void;
};
