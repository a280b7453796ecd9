import type { ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import { readOfficeIdentity } from '#client/lib/office/office-identity.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { Side } from '#shared/events.ts';
import { beginningOf, NEUTRAL_BODY, notificationTitle } from '#shared/notification-text.ts';
import { previewOf, previewOfLast } from '../previews/message-preview.ts';
import type { DesktopNotifications } from './desktop-notification.ts';
import { readPushChoices } from './push-choices.ts';
import { readNotificationPreferences, userNotificationPreferences } from './preferences.ts';
import type { NotificationElection } from './notification-election.ts';
import type { RepeatedBeep } from './repeated-beep.ts';
import type { createTitleMarker } from './title-marker.ts';

export type NotifiedUser = { side: Side; id: string };
type PendingNotification = { id: number; userId: string; name: string; content: string; isNotice: boolean };

export type NotifierDeps = {
  currentUser: NotifiedUser;
  election: NotificationElection;
  titleMarker: ReturnType<typeof createTitleMarker>;
  playBeep: () => Promise<boolean>;
  isSoundReady: () => boolean;
  desktop: DesktopNotifications;
  /** For admins: repeats the beep until somebody answers. */
  repeatedBeep?: RepeatedBeep | undefined;
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

/** Notifies of new messages by desktop notification, tone, toast and the number in the tab's title (R-CHAT-24). */
export function createNotifier({
  currentUser,
  election,
  titleMarker,
  playBeep,
  isSoundReady,
  desktop,
  repeatedBeep,
  onOpen,
}: NotifierDeps) {
  let pending: PendingNotification[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listOnScreen = false;
  const handledIds = new Set<number>();
  /** The number of messages that the toast of a conversation stands for, while it is shown. */
  const toastCounts = new Map<string, number>();

  const toastIdOf = (userId: string): string => `chat:${userId}`;

  /** One toast per conversation, which counts its messages and opens the conversation (R-CHAT-24). */
  function showToast({ userId, name, content }: PendingNotification, count: number): void {
    const total = (toastCounts.get(userId) ?? 0) + count;
    toastCounts.set(userId, total);
    const sender = total > 1 ? `${name} (${total} pesan baru)` : name;
    notify.link({
      id: toastIdOf(userId),
      message: `${sender}: ${notificationPreview(content)}`,
      openLabel: currentUser.side === 'admin' ? `Buka percakapan dengan ${name}` : 'Buka percakapan',
      onOpen: () => onOpen(userId),
      onClose: () => toastCounts.delete(userId),
    });
  }

  function showPending(): void {
    const newest = new Map(pending.map((notification) => [notification.userId, notification]));
    const countOf = new Map<string, number>();
    for (const { userId } of pending) countOf.set(userId, (countOf.get(userId) ?? 0) + 1);
    pending = [];
    const isAdmin = currentUser.side === 'admin';
    const settings = isAdmin ? readNotificationPreferences() : userNotificationPreferences;
    if (!settings.notifications) return;
    const { hidesPreview, isOff, isSilent } = readPushChoices(currentUser.id);
    // Admins choose apart what their open pages do.
    if (settings.chatSound && (isAdmin || !isSilent)) void playBeep();
    for (const notification of newest.values()) {
      const { id, userId, name, content, isNotice } = notification;
      const preview = notificationPreview(content);
      if (settings.desktopNotifications && (isAdmin || !isOff)) {
        const title = notificationTitle(name, isNotice ? 'notice' : 'chat', readOfficeIdentity().name);
        const body = hidesPreview ? NEUTRAL_BODY : preview;
        desktop.show({ userId, messageId: id, title, body });
      }
      if (document.visibilityState === 'visible' && !listOnScreen) showToast(notification, countOf.get(userId) ?? 1);
    }
  }

  async function enqueue(notification: PendingNotification): Promise<void> {
    if (handledIds.has(notification.id)) return;
    handledIds.add(notification.id);
    if (election.isBeingRead(notification.userId)) {
      election.settle(notification.id);
      return;
    }
    titleMarker.markUnseen(notification.id, notification.userId);
    // A notice needs no answer.
    if (!notification.isNotice) repeatedBeep?.alerted(notification.userId);
    if (
      !(await election.elect(notification.id, electionDelayMs(isSoundReady()))) ||
      election.isBeingRead(notification.userId)
    )
      return;
    pending.push(notification);
    clearTimeout(timer);
    timer = setTimeout(showPending, BATCH_DELAY_MS);
  }

  return {
    /** A message of the other side that arrived just now. A repeated one does nothing. */
    incoming(message: Message): void {
      const { _id, user_id, sender_name, kind } = message;
      const userId = conversationIdOf(currentUser, user_id);
      const { text } = previewOf(message);
      void enqueue({ id: Number(_id), userId, name: sender_name, content: text, isNotice: kind === 'notice' });
    },
    /** Rows of a polled list whose last message is new. */
    newer(rows: readonly ConversationSummary[]): void {
      for (const { last_message, other_user } of rows) {
        if (!last_message || last_message.from_admin) continue;
        const { _id, kind } = last_message;
        const { text } = previewOfLast(last_message);
        const { _id: userId, name } = other_user;
        void enqueue({ id: Number(_id), userId, name, content: text, isNotice: kind === 'notice' });
      }
    },
    /** This side has read a conversation up to a message, here or in another tab. */
    seen: (userId: string, upTo: number): void => {
      titleMarker.removeSeen(userId, upTo);
      if (toastCounts.has(userId)) notify.hide(toastIdOf(userId));
      desktop.withdraw(userId, upTo);
    },
    /** Which conversation is open and visible in this tab, or null. */
    setReading: (userId: string | null): void => election.setReading(userId),
    /** While the inbox is on the screen, its rows replace the toast. */
    setListOnScreen(value: boolean): void {
      listOnScreen = value;
    },
    stop(): void {
      clearTimeout(timer);
      desktop.stop();
      election.stop();
      repeatedBeep?.stop();
      titleMarker.stop();
    },
  };
}
export type Notifier = ReturnType<typeof createNotifier>;

function conversationIdOf(currentUser: NotifiedUser, userId: string): string {
  return currentUser.side === 'user' ? currentUser.id : userId;
}
