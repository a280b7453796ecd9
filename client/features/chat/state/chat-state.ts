import { atom, type createStore } from 'jotai';
import type { AdminContact } from '#shared/api/auth.ts';
import type { ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import type { Side, UserChange } from '#shared/events.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import { type Conversation, emptyConversation, type LoadState } from './model/conversation.ts';
import { type ConversationListState, emptyConversationList } from './model/list-state.ts';
import { emptyEphemeralState, type EphemeralState } from './model/ephemeral-state.ts';
import type { ListFilter, SortKey } from './model/list-order.ts';
import type { OutboxEntry } from './model/outbox-entry.ts';
import type { RetryDecision } from './model/retry-policy.ts';
import type { Jump } from './model/segment.ts';

export type ChatStore = ReturnType<typeof createStore>;

/** The signed-in user of this chat. A user's conversation is kept under the user's own id, whichever admin is addressed. */
export type ChatCurrentUser = { side: Side; id: string; name: string };

/** The admin to whom a user's messages are addressed; 'none': there is no active admin. */
export type AdminContactState = AdminContact | 'none' | null;

export type TimerName =
  | ('firstLoad' | 'pollConversations' | 'pollNewMessages' | 'pollList' | 'retryFailed')
  | ('typistsExpire' | 'ownTypingEnds' | 'receipts' | 'recount' | 'reloadSummaries' | 'renewMessages')
  | ('claimSettles' | 'retrySend');

/** `userId`: the conversation that it is about; '' for timers of the whole page. */
export type Timer = { name: TimerName; userId: string; atMs: number };

/** The number of loaded pages of a list, and their end. */
export type ListPaging = {
  pagesRead: number;
  hasMore: boolean;
  lastLoadedKey: SortKey | null;
  loadState: LoadState;
  error: unknown;
};

/** The load of a list, page by page. */
export type ListFetch = {
  number: number;
  kind: 'refresh' | 'more';
  filter: ListFilter;
  /** Of the page that is being read. */
  page: number;
  limit: number;
  requestedAtVersion: number;
  countNumber: number;
  newestKnownId: number;
  /** Rows whose last message is newer than all known ones are news, unless nothing was known. */
  hadRows: boolean;
  /** The last page of a refresh. */
  lastPage: number;
  startedAtVersion: number;
  shownAtStart: readonly ConversationSummary[];
  rows: readonly ConversationSummary[];
  /** Further rows are wanted as soon as this refresh has succeeded. */
  thenMore: boolean;
};

export type ListSync = {
  /** The lists on the screen, by the key of their filter. */
  shown: Readonly<Record<string, ListFilter>>;
  fetches: Readonly<Record<string, ListFetch>>;
  fetchCount: number;
  /** Filters whose last refresh has not succeeded. */
  staleKeys: readonly string[];
  shownCountAfterFetch: Readonly<Record<string, number>>;
  /** Known from before the present connection and not read since: an event about them may have been missed. */
  unsureIds: readonly string[];
  unsureAtVersion: number;
};

/** The counts of conversations in each filter. An answer to an older request never replaces one to a newer. */
export type CountSync = {
  requestCount: number;
  lastApplied: number;
  lastCountAtMs: number;
  running: readonly number[];
};

export type SummaryCall = { number: number; userIds: readonly string[]; requestedAtVersion: number };

/** Single conversations that are asked for: those that wait, and those of the calls that are under way. */
export type SummaryReload = {
  waitingIds: readonly string[];
  calls: Readonly<Record<string, SummaryCall>>;
  callCount: number;
  watchCounts: Readonly<Record<string, number>>;
};

/** Messages of one conversation that are read again. */
export type Renewal = {
  /** Grows with each call. */
  number: number;
  wantedIds: readonly string[];
  /** The message around which is being read; null while more is collected. */
  askedId: string | null;
  /** Wanted before the call that is under way. */
  othersAtRequest: readonly string[];
};

/** Why an attempt to send has failed. */
export type SendFailure = { decision: RetryDecision; isQuoteRefused: boolean; refusedFileId: string | null };

/**
 * The message that this tab sends in one conversation; the next one waits until it is through. `effects/send.ts` reads its step:
 * `uploads` runs while it is `uploading`, `sends` while it is `sending`.
 */
export type InFlightMessage = {
  clientId: string;
  /** The server may have stored it at an earlier attempt. */
  wasSentBefore: boolean;
  /**
   * `claiming`: other tabs may have claimed it at the same moment. `uploading`: one file after the other. `sending`: the call is
   * under way. `loading`: stored, and shown as unsent until the conversation that has it is read (`refreshes`).
   */
  step: 'claiming' | 'uploading' | 'sending' | 'loading';
  uploadingId: string | null;
  /** Of the file that is being uploaded, from 0 to 1. */
  fraction: number;
  lastProgressMs: number;
  renewedAtMs: number;
  /** The server has missed a file: its uploads before, and the failure that stays when these were not the reason. */
  missed: { uploadedIds: readonly (string | null)[]; failure: SendFailure } | null;
  /** The version of the conversation at the request. */
  historyVersion: string;
};

/** Files of messages that are sent or dropped: their bytes are no longer needed. */
export type FileJob = { number: number; kind: 'sent' | 'dropped'; files: readonly OutboxFile[] };

/** The last message of an open conversation that was on the screen. */
export type ShownPosition = { atBottom: boolean; upTo: number };

export type Reading = {
  /** The conversations that are open here, and whether the end of each is on the screen. */
  watched: Readonly<Record<string, { atBottom: boolean }>>;
  shown: Readonly<Record<string, ShownPosition>>;
  focusedUserId: string | null;
  /** Up to which message `delivered` was reported over this connection. */
  deliveredUpTo: Readonly<Record<string, number>>;
  /** The call that marks messages as seen. */
  marking: { userId: string; upTo: number } | null;
  /** Up to which message this side has read each conversation, here or elsewhere. */
  readUpTo: Readonly<Record<string, number>>;
};

/** A message of the other side that arrived just now, or a row of a list whose last message is new. */
export type Arrival =
  | { kind: 'message'; number: number; message: Message }
  | { kind: 'row'; number: number; row: ConversationSummary };

/** Everything that the chat of one signed-in user knows on this page. Plain data; only an error keeps its class. */
export type ChatState = {
  currentUser: ChatCurrentUser | null;
  tabId: string;
  timers: Readonly<Record<string, Timer>>;

  isConnected: boolean;
  /** Whether the last call without a socket succeeded; null while none was made. */
  lastPollSucceeded: boolean | null;
  /** When this page last asked for a new connection, how often, and how often it took the present one for dead. */
  reconnection: { lastAtMs: number; wishes: number; doubts: number };
  /** Whether the first load may begin. */
  mayLoad: boolean;
  /** Counts the loads of everything on the screen. */
  catchUpCount: number;
  page: { isVisible: boolean; hasFocus: boolean; hiddenAtMs: number | null };
  adminContact: AdminContactState;

  /** The number of components that show each conversation. */
  open: Readonly<Record<string, number>>;
  conversations: Readonly<Record<string, Conversation>>;
  /** The messages to which somebody has jumped, by conversation. */
  jumps: Readonly<Record<string, Jump>>;
  jumpCount: number;
  renewals: Readonly<Record<string, Renewal>>;

  list: ConversationListState;
  listPaging: Readonly<Record<string, ListPaging>>;
  listSync: ListSync;
  countSync: CountSync;
  summaryReload: SummaryReload;
  /** The accounts about which an event came while connected, as they are now. What was loaded before may be older. */
  changedUsers: Readonly<Record<string, UserChange>>;
  ephemeral: EphemeralState;

  /** Unsent messages of all conversations, in the order in which they were written. Local storage has the same. */
  outbox: readonly OutboxEntry[];
  /** The message that this tab sends in each conversation, and its step. */
  inFlight: Readonly<Record<string, InFlightMessage>>;
  fileJobs: readonly FileJob[];
  fileJobCount: number;

  reading: Reading;
  /** The conversations on the screen, once for each component, and what the server was told last. */
  viewed: readonly string[];
  reportedViewing: string;
  ownTyping: { userId: string; reportedAtMs: number } | null;
  /** Messages for which the user is not notified yet. */
  arrivals: readonly Arrival[];
  arrivalCount: number;
};

export const emptyChatState: ChatState = {
  currentUser: null,
  tabId: '',
  timers: {},
  isConnected: false,
  lastPollSucceeded: null,
  reconnection: { lastAtMs: 0, wishes: 0, doubts: 0 },
  mayLoad: false,
  catchUpCount: 0,
  page: { isVisible: true, hasFocus: false, hiddenAtMs: null },
  adminContact: null,
  open: {},
  conversations: {},
  jumps: {},
  jumpCount: 0,
  renewals: {},
  list: emptyConversationList,
  listPaging: {},
  listSync: {
    shown: {},
    fetches: {},
    fetchCount: 0,
    staleKeys: [],
    shownCountAfterFetch: {},
    unsureIds: [],
    unsureAtVersion: 0,
  },
  countSync: { requestCount: 0, lastApplied: 0, lastCountAtMs: 0, running: [] },
  summaryReload: { waitingIds: [], calls: {}, callCount: 0, watchCounts: {} },
  changedUsers: {},
  ephemeral: emptyEphemeralState,
  outbox: [],
  inFlight: {},
  fileJobs: [],
  fileJobCount: 0,
  reading: { watched: {}, shown: {}, focusedUserId: null, deliveredUpTo: {}, marking: null, readUpTo: {} },
  viewed: [],
  reportedViewing: '',
  ownTyping: null,
  arrivals: [],
  arrivalCount: 0,
};

/** The one state of the chat; only the runner of a chat session writes it. */
export const chatStateAtom = atom<ChatState>(emptyChatState);

/** The clock and the chance of one event; the only inputs of `update` beside the state and the event. */
export type Now = { ms: number; random: number };

/** The other side is addressed under its own id; a user's only conversation has one key here. */
export const conversationIdOf = ({ currentUser }: ChatState, userId: string): string =>
  currentUser?.side === 'user' ? currentUser.id : userId;

export const isAdmin = ({ currentUser }: ChatState): boolean => currentUser?.side === 'admin';

export const sideOf = ({ currentUser }: ChatState): Side => currentUser?.side ?? 'user';

export const conversationOf = ({ conversations }: ChatState, userId: string): Conversation =>
  conversations[userId] ?? emptyConversation;

/** Changes one known conversation; unknown ones are ignored. */
export function changeConversation(
  state: ChatState,
  userId: string,
  change: (conversation: Conversation) => Conversation,
): ChatState {
  const before = state.conversations[userId];
  if (!before) return state;
  const after = change(before);
  return after === before ? state : { ...state, conversations: { ...state.conversations, [userId]: after } };
}

/** Without one key; the same record when it has no such key. */
export function withoutKey<T>(record: Readonly<Record<string, T>>, key: string): Readonly<Record<string, T>> {
  if (!(key in record)) return record;
  const { [key]: _removed, ...others } = record;
  return others;
}

const timerKey = (name: TimerName, userId: string): string => `${name} ${userId}`;

export const hasTimer = (state: ChatState, name: TimerName, userId = ''): boolean =>
  timerKey(name, userId) in state.timers;

/** Sets a timer, or sets it anew. */
export function setTimer(state: ChatState, name: TimerName, atMs: number, userId = ''): ChatState {
  return { ...state, timers: { ...state.timers, [timerKey(name, userId)]: { name, userId, atMs } } };
}

/** Leaves a timer that runs as it is. */
export function setTimerOnce(state: ChatState, name: TimerName, atMs: number, userId = ''): ChatState {
  return hasTimer(state, name, userId) ? state : setTimer(state, name, atMs, userId);
}

export function clearTimer(state: ChatState, name: TimerName, userId = ''): ChatState {
  const timers = withoutKey(state.timers, timerKey(name, userId));
  return timers === state.timers ? state : { ...state, timers };
}
