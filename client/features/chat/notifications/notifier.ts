import type { ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import { readOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { beginningOf, NEUTRAL_BODY, notificationTitle } from '#shared/notification-text.ts';
import { previewOf, previewOfLast } from '../previews/message-preview.ts';
import type { DesktopNotifications, NotifiedUser } from './desktop/desktop-notification.ts';
import { readPushChoices } from './push/push-choices.ts';
import { readNotificationPreferences, userNotificationPreferences } from './preferences.ts';
import {
  elect,
  isBeingRead,
  type NotificationElection,
  setReading,
  settle,
  stopElection,
} from './notification-election.ts';
import type { TitleMarker } from './title-marker.ts';

type PendingNotification = { id: number; userId: string; name: string; content: string; isNotice: boolean };

export type NotifierDeps = {
  currentUser: NotifiedUser;
  election: NotificationElection;
  titleMarker: TitleMarker;
  playBeep: () => Promise<boolean>;
  isSoundReady: () => boolean;
  desktop: DesktopNotifications;
  /** For admins: repeats the beep until somebody answers. */
  repeatedBeep?: { alerted: (userId: string) => void; stop: () => void } | undefined;
  /** Called when a user clicks the toast of a message: its conversation should open. */
  onOpen: (userId: string) => void;
};

/** Tabs that are visible and can play sound stand for election first; other tabs wait this long before. */
const HIDDEN_TAB_DELAY_MS = 60;
const MUTED_TAB_DELAY_MS = 120;
export function electionDelayMs(isSoundReady: boolean): number {
  const hiddenMs = document.visibilityState === 'visible' ? 0 : HIDDEN_TAB_DELAY_MS;
  return hiddenMs + (isSoundReady ? 0 : MUTED_TAB_DELAY_MS);
}
/** Messages that arrive within this time share one sound and, per conversation, one preview. */
const BATCH_DELAY_MS = 30;

/** A message on one line, cut at 50 characters plus an ellipsis (R-CHAT-24). */
export function notificationPreview(content: string): string {
  const { text, isCut } = beginningOf(content);
  return isCut ? `${text}…` : text;
}

/** The state of the notifier of one tab. */
type NotifierState = NotifierDeps & {
  /** The notifications of the next batch. */
  pending: PendingNotification[];
  timer: ReturnType<typeof setTimeout> | undefined;
  isListOnScreen: boolean;
  readonly handledIds: Set<number>;
  /** The number of messages that the toast of a conversation stands for, while it is shown. */
  readonly toastCounts: Map<string, number>;
};

export type Notifier = {
  /** A message of the other side that arrived just now. A repeated one does nothing. */
  incoming: (message: Message) => void;
  /** Rows of a polled list whose last message is new. */
  newer: (rows: readonly ConversationSummary[]) => void;
  /** This side has read a conversation up to a message, here or in another tab. */
  seen: (userId: string, upTo: number) => void;
  /** Which conversation is open and visible in this tab, or null. */
  setReading: (userId: string | null) => void;
  /** While the inbox is on the screen, its rows replace the toast. */
  setListOnScreen: (value: boolean) => void;
  stop: () => void;
};

/** Notifies of new messages by desktop notification, tone, toast and the number in the tab's title (R-CHAT-24). */
export function createNotifier(deps: NotifierDeps): Notifier {
  const { currentUser, election } = deps;
  const state: NotifierState = {
    ...deps,
    pending: [],
    timer: undefined,
    isListOnScreen: false,
    handledIds: new Set(),
    toastCounts: new Map(),
  };
  return {
    incoming: (message) => void enqueue(state, ofMessage(currentUser, message)),
    newer(rows) {
      for (const notification of rows.flatMap(ofRow)) void enqueue(state, notification);
    },
    seen: (userId, upTo) => hideSeen(state, userId, upTo),
    setReading: (userId) => setReading(election, userId),
    setListOnScreen(value) {
      state.isListOnScreen = value;
    },
    stop: () => stopNotifier(state),
  };
}

function ofMessage(currentUser: NotifiedUser, message: Message): PendingNotification {
  const { _id, user_id, sender_name, kind } = message;
  const userId = currentUser.side === 'user' ? currentUser.id : user_id;
  const { text } = previewOf(message);
  return { id: Number(_id), userId, name: sender_name, content: text, isNotice: kind === 'notice' };
}

/** The notification of the last message of a row, if a user wrote it. */
function ofRow({ last_message, other_user }: ConversationSummary): PendingNotification[] {
  if (!last_message || last_message.from_admin) return [];
  const { _id, kind } = last_message;
  const { text } = previewOfLast(last_message);
  const { _id: userId, name } = other_user;
  return [{ id: Number(_id), userId, name, content: text, isNotice: kind === 'notice' }];
}

/** Adds a notification to the next batch, if it is new and this tab is the one that notifies. */
async function enqueue(state: NotifierState, notification: PendingNotification): Promise<void> {
  const { election, handledIds } = state;
  const { id, userId, isNotice } = notification;
  if (handledIds.has(id)) return;
  handledIds.add(id);
  if (isBeingRead(election, userId)) {
    settle(election, id);
    return;
  }
  state.titleMarker.markUnseen(id, userId);
  // A notice needs no answer.
  if (!isNotice) state.repeatedBeep?.alerted(userId);
  const isElected = await elect(election, id, electionDelayMs(state.isSoundReady()));
  if (!isElected || isBeingRead(election, userId)) return;
  state.pending.push(notification);
  clearTimeout(state.timer);
  state.timer = setTimeout(() => showPending(state), BATCH_DELAY_MS);
}

/** Shows the batch: one tone, and one preview for each conversation. */
function showPending(state: NotifierState): void {
  const { currentUser, pending } = state;
  state.pending = [];
  const newest = new Map(pending.map((notification) => [notification.userId, notification]));
  const isAdmin = currentUser.side === 'admin';
  const settings = isAdmin ? readNotificationPreferences() : userNotificationPreferences;
  if (!settings.notifications) return;
  const { hidesPreview, isOff, isSilent } = readPushChoices(currentUser.id);
  // Admins choose apart what their open pages do.
  if (settings.chatSound && (isAdmin || !isSilent)) void state.playBeep();
  for (const notification of newest.values()) {
    if (settings.desktopNotifications && (isAdmin || !isOff)) showOnDesktop(state, notification, hidesPreview);
    if (document.visibilityState === 'visible' && !state.isListOnScreen) {
      const count = pending.filter(({ userId }) => userId === notification.userId).length;
      showToast(state, notification, count);
    }
  }
}

function showOnDesktop({ desktop }: NotifierState, notification: PendingNotification, hidesPreview: boolean): void {
  const { id, userId, name, content, isNotice } = notification;
  const title = notificationTitle(name, isNotice ? 'notice' : 'chat', readOfficeIdentity().name);
  const body = hidesPreview ? NEUTRAL_BODY : notificationPreview(content);
  desktop.show({ userId, messageId: id, title, body });
}

const toastIdOf = (userId: string): string => `chat:${userId}`;

/** One toast per conversation, which counts its messages and opens the conversation (R-CHAT-24). */
function showToast(state: NotifierState, { userId, name, content }: PendingNotification, count: number): void {
  const { currentUser, toastCounts } = state;
  const total = (toastCounts.get(userId) ?? 0) + count;
  toastCounts.set(userId, total);
  const sender = total > 1 ? `${name} (${total} pesan baru)` : name;
  notify.link({
    id: toastIdOf(userId),
    message: `${sender}: ${notificationPreview(content)}`,
    openLabel: currentUser.side === 'admin' ? `Buka percakapan dengan ${name}` : 'Buka percakapan',
    onOpen: () => state.onOpen(userId),
    onClose: () => toastCounts.delete(userId),
  });
}

function hideSeen({ titleMarker, toastCounts, desktop }: NotifierState, userId: string, upTo: number): void {
  titleMarker.removeSeen(userId, upTo);
  if (toastCounts.has(userId)) notify.hide(toastIdOf(userId));
  desktop.withdraw(userId, upTo);
}

function stopNotifier({ timer, desktop, election, repeatedBeep, titleMarker }: NotifierState): void {
  clearTimeout(timer);
  desktop.stop();
  stopElection(election);
  repeatedBeep?.stop();
  titleMarker.stop();
}
