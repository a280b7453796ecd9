import type { AdminContact } from '#shared/api/auth.ts';
import type { Attachment, ConversationSummary, History, Message } from '#shared/api/chat/chat.ts';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import type { ServerToClientEvents } from '#shared/events.ts';
import type { OutboxFile, OutboxRecord } from '../files/outbox-file.ts';
import type { ConversationsAnswer } from './model/conversation-list.ts';
import type { ListFilter } from './model/list-order.ts';
import type { Quote } from './model/outbox-entry.ts';
import type { Direction } from './model/segment.ts';
import type { TimerName } from './chat-state.ts';

/** The server events that the chat uses, under the names that the server gives them. */
export const SERVER_EVENTS = [
  ...(['message:new', 'unread', 'unread:changes', 'conversation:state', 'conversation:seen'] as const),
  ...(['conversation:delivered'] as const),
  ...(['conversation:deleted', 'note:changed', 'user:changed', 'tax-record:changed', 'typing', 'viewing'] as const),
] as const;
type ServerEventName = (typeof SERVER_EVENTS)[number];
type ServerEvent = {
  [E in ServerEventName]: { type: `socket.${E}`; payload: Parameters<ServerToClientEvents[E]>[0] };
}[ServerEventName];

/** `socket`: the connection and what the server has pushed over it. */
type SocketEvent = ServerEvent | { type: 'socket.connected' } | { type: 'socket.disconnected' };

/** `call`: the end of a call, with its answer or with an error. */
type CallEvent =
  | { type: 'call.contactLoaded'; contact: AdminContact | 'none' }
  | { type: 'call.historyLoaded'; userId: string; history: History }
  | { type: 'call.historyFailed'; userId: string; error: unknown }
  | { type: 'call.olderLoaded'; userId: string; history: History }
  | { type: 'call.olderFailed'; userId: string; error: unknown }
  | { type: 'call.jumpLoaded'; userId: string; history: History }
  | { type: 'call.jumpFailed'; userId: string; error: unknown }
  | { type: 'call.besideLoaded'; userId: string; direction: Direction; history: History }
  | { type: 'call.besideFailed'; userId: string; direction: Direction; error: unknown }
  | { type: 'call.messagesRenewed'; userId: string; messages: readonly Message[] }
  | { type: 'call.renewalFailed'; userId: string; error: unknown }
  | { type: 'call.listLoaded'; key: string; answer: ConversationsAnswer }
  | { type: 'call.listFailed'; key: string; error: unknown }
  | { type: 'call.counted'; number: number; answer: ConversationsAnswer }
  | { type: 'call.countFailed'; number: number; error: unknown }
  | { type: 'call.summariesLoaded'; number: number; rows: readonly ConversationSummary[] }
  | { type: 'call.summariesFailed'; number: number; error: unknown }
  | { type: 'call.totalsLoaded'; totalUnread: number; unreadEventCount: number }
  | { type: 'call.uploadProgressed'; userId: string; fraction: number }
  | { type: 'call.uploaded'; userId: string; uploadedId: string }
  | { type: 'call.uploadFailed'; userId: string; error: unknown }
  | { type: 'call.sent'; userId: string; message: Message }
  | { type: 'call.sendFailed'; userId: string; error: unknown }
  | { type: 'call.seen'; unreadCount: number }
  | { type: 'call.seenFailed' }
  | { type: 'call.historyDeleted'; userId: string };

/** `user`: what the person at the screen does, and which components show what because of it. */
type UserEvent =
  | { type: 'user.opens'; userId: string }
  | { type: 'user.closes'; userId: string }
  | { type: 'user.reloads'; userId: string }
  | { type: 'user.readsOlder'; userId: string }
  | { type: 'user.jumps'; userId: string; messageId: number }
  | { type: 'user.readsBeside'; userId: string; direction: Direction }
  | { type: 'user.endsJump'; userId: string }
  | { type: 'user.renewsMessage'; userId: string; messageId: string }
  | {
      type: 'user.filesProof';
      userId: string;
      attachmentId: string;
      proofOf: NonNullable<Attachment['proof_of']>;
    }
  | { type: 'user.showsList'; filter: ListFilter }
  | { type: 'user.hidesList'; filter: ListFilter }
  | { type: 'user.reloadsList'; filter: ListFilter }
  | { type: 'user.readsMoreRows'; filter: ListFilter }
  | { type: 'user.watchesSummary'; userId: string }
  | { type: 'user.unwatchesSummary'; userId: string }
  | { type: 'user.changedState'; update: ConversationStateUpdate }
  | { type: 'user.watches'; userId: string; atBottom: boolean }
  | { type: 'user.unwatches'; userId: string }
  | { type: 'user.focuses'; userId: string | null }
  | { type: 'user.views'; userId: string }
  | { type: 'user.leavesView'; userId: string }
  | { type: 'user.types'; userId: string; hasText: boolean }
  | {
      type: 'user.sends';
      userId: string;
      clientId: string;
      text: string;
      quote: Quote | null;
      files: readonly OutboxFile[];
      record: OutboxRecord | null;
    }
  | { type: 'user.sendsAgain'; clientId: string }
  | { type: 'user.sendsHeld'; clientId: string; seenId: string | null }
  | { type: 'user.sendsAll' }
  | { type: 'user.discards'; clientId: string; keepsFiles: boolean }
  | { type: 'user.cancelsUpload'; clientId: string }
  | { type: 'user.removesFile'; clientId: string; fileId: string }
  | { type: 'user.retriesNow' };

/** `page`: what the browser says of the page. */
type PageEvent =
  | { type: 'page.changed'; isVisible: boolean; hasFocus: boolean }
  | { type: 'page.restored' }
  | { type: 'page.leaves' }
  | { type: 'page.online' }
  | { type: 'page.offline' };

/** `storage`: another tab has changed the unsent messages; each event of this tab begins with what is stored. */
type StorageEvents =
  | { type: 'storage.changed' }
  /** `onlyHere`: unsent messages with a file that no other tab has. */
  | { type: 'storage.checked'; onlyHere: readonly string[] };

/** Reports a job of an effect that is done only once. */
type DoneEvent =
  | { type: 'done.viewingReported'; viewing: string }
  | { type: 'done.filesHandled'; number: number }
  | { type: 'done.notified'; number: number };

export type ChatEvent =
  | SocketEvent
  | CallEvent
  | UserEvent
  | PageEvent
  | StorageEvents
  | DoneEvent
  | { type: 'time'; name: TimerName; userId: string };

export type EventOf<T extends ChatEvent['type']> = Extract<ChatEvent, { type: T }>;

/** The events that only the list of an admin is about: admin-update.ts. */
export type ListEventType =
  | ('socket.unread:changes' | 'socket.conversation:state' | 'socket.note:changed' | 'socket.user:changed')
  | ('call.listLoaded' | 'call.listFailed' | 'call.counted' | 'call.countFailed')
  | ('call.summariesLoaded' | 'call.summariesFailed' | 'call.totalsLoaded')
  | ('user.showsList' | 'user.hidesList' | 'user.reloadsList' | 'user.readsMoreRows')
  | ('user.watchesSummary' | 'user.unwatchesSummary' | 'user.changedState');
