import type { Message } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import type { ExportProgress } from './api/own-data.ts';
import type { OfficeState } from '#shared/api/office/office.ts';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import type { BatchState, ClaimState } from './domain/dhkp/list-states.ts';
import type { ClientEventPayloads } from './client-events.ts';

/*
 * The typed Socket.IO events of all features (R-EVENT-3). The server pushes; every write goes through REST.
 * The schemas of client events are in client-events.ts: the browser imports this file and must not load zod with it.
 */

/** All features share this namespace. Its path is older than they are and cannot change. */
export const REALTIME_NAMESPACE = '/chat';
/** Messages of `connect_error`: the session does not count, or the server could not check it and the client tries again. */
export const UNAUTHORIZED = 'unauthorized';
export const UNAVAILABLE = 'unavailable';

export type Side = 'user' | 'admin';
export type UnreadUpdate = { user_id: string; unread_count: number; total_unread: number };
/** Several conversations at once, and the total over all. */
export type UnreadChanges = { changes: { user_id: string; unread_count: number }[]; total_unread: number };
/** A position that only grows. A seen message was delivered too, so then both events are sent. */
export type Cursor = { user_id: string; by: Side; up_to: string };
export type Typing = { user_id: string; sender_id: string; name: string; typing: boolean };
export type Viewing = { user_id: string; viewers: { id: string; name: string }[] };
/** To users the first form; to admins the second once at connect, then the third. */
export type PresenceUpdate =
  | { admin_online: boolean }
  | { online_user_ids: string[] }
  | { user_id: string; online: boolean };
/** The change of an account, and how it is now; after a deletion, how it was. Only admins get it. */
export type UserChange = {
  change: 'created' | 'updated' | 'deleted';
  user: { id: string; name: string; email: string; has_email: boolean; is_admin: boolean; is_active: boolean };
};
export type RecordChange = { id: string; user_id: string; change: 'created' | 'updated' | 'deleted' };

/** The progress of an import: `done` of `total` rows. */
export type BatchProgress = { id: string; state: BatchState; done: number; total: number };

export type ClaimChange = { id: string; user_id: string; state: ClaimState | 'withdrawn' };

export type ServerToClientEvents = {
  'message:new': (message: Message) => void;
  unread: (payload: UnreadUpdate) => void;
  /** To admins, instead of `unread`, four times a second at most (R-EVENT-11). */
  'unread:changes': (payload: UnreadChanges) => void;
  'conversation:seen': (payload: Cursor) => void;
  'conversation:delivered': (payload: Cursor) => void;
  'conversation:deleted': (payload: { user_id: string }) => void;
  /** To admins: claimed, released, dismissed, snoozed, or waiting anew. */
  'conversation:state': (payload: ConversationStateUpdate) => void;
  'note:changed': (payload: { user_id: string }) => void;
  'quick-replies:changed': (payload: Record<string, never>) => void;
  /** To users; to admins only after a change of the open tax years. */
  office: (payload: OfficeState) => void;
  /** To all users and all admins: what the office now says about itself. */
  'office:identity': (payload: OfficeIdentity) => void;
  /** To one user: how many waiting conversations began before the own one; null when it no longer waits. */
  queue: (payload: { ahead: number | null }) => void;
  /** To users, when it changes: whether at most three conversations wait. */
  'queue:length': (payload: { few_waiting: boolean }) => void;
  typing: (payload: Typing) => void;
  viewing: (payload: Viewing) => void;
  presence: (payload: PresenceUpdate) => void;
  'tax-record:changed': (payload: RecordChange) => void;
  'user:changed': (payload: UserChange) => void;
  /** To admins, at most twice a second for each import (R-DHKP-15). */
  'dhkp:batch': (payload: BatchProgress) => void;
  /** To admins, at most once a second for each year: the office's list is another one. */
  'dhkp:changed': (payload: { year: number }) => void;
  /** To admins and to its user: a request to link an object was made, answered or withdrawn (R-DHKP-33). */
  'claim:changed': (payload: ClaimChange) => void;
  /** To all admins: one of them did what all others are told (R-USER-17). */
  'notice:new': (payload: { actor_id: string }) => void;
  /** To all admins: a request for a way back in came, was asked again, or ended (R-ACCESS-12). */
  'recovery:changed': (payload: Record<string, never>) => void;
  /** To its account: how far the copy of its own data is (R-ACCESS-75). */
  'export:changed': (payload: ExportProgress) => void;
  /** To all admins, and to its account: a request to delete an account came, was decided or withdrawn (R-ACCESS-85). */
  'erasure:changed': (payload: Record<string, never>) => void;
  'session:ended': (payload: { message: string }) => void;
};

/** None is acknowledged, all are validated, and none does harm whatever its payload is (R-EVENT-4). */
export type ClientToServerEvents = { [E in keyof ClientEventPayloads]: (payload: ClientEventPayloads[E]) => void };
