import type { ConversationCounts, ConversationSummary } from '#shared/api/chat/chat.ts';

type ListEntry = {
  summary: ConversationSummary;
  /** The version of the list when an event last changed it; see `applyRowsToList`. */
  version: number;
};

/** All conversations that this admin's page knows, in the order of the inbox: latest activity first. */
export type ConversationListState = {
  entries: Readonly<Record<string, ListEntry>>;
  order: readonly string[];
  /** Conversations in each filter over all, as the server last counted them; null before that. */
  counts: ConversationCounts | null;
  /** Over all conversations of this side, as the server last reported it; null before that. */
  totalUnread: number | null;
  /** Counts events and requests, so that an older answer cannot undo a newer event or a newer answer. */
  version: number;
  /** The version at which a conversation was removed, so that an older answer does not bring it back. */
  removed: Readonly<Record<string, number>>;
  /** Counts the events about unread messages. */
  unreadEventCount: number;
  /** The admin whose list it is. */
  adminId: string;
};

export const emptyConversationList: ConversationListState = {
  entries: {},
  order: [],
  counts: null,
  totalUnread: null,
  version: 0,
  removed: {},
  unreadEventCount: 0,
  adminId: '',
};
