import type { ConversationSummary, Message } from '#shared/api/chat.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { Identity } from '../session/state.ts';
import { showDesktop } from './desktop.ts';
import { previewOf } from './preview.ts';
import { readNotificationSettings, residentSettings } from './settings.ts';
import type { TabClaims } from './tab-claims.ts';
import type { createTitleMarker } from './title-marker.ts';

type Notice = { id: number; userId: string; name: string; content: string };

export type NotifierDeps = {
  identity: Identity;
  claims: TabClaims;
  title: ReturnType<typeof createTitleMarker>;
  playBeep: () => Promise<boolean>;
  isSoundReady: () => boolean;
  /** Somebody pressed a notification: their conversation is wanted. */
  onOpen: (userId: string) => void;
};

/** Better placed tabs speak first: one that is seen, and one that can be heard. */
const HIDDEN_WAIT_MS = 60;
const SILENT_WAIT_MS = 120;
/** What arrives together is told together: one sound, one preview per conversation. */
const GATHER_MS = 30;

/** Tells of new messages (specification 4): desktop notification, beep, preview and the mark in the tab's title. */
export function createNotifier({ identity, claims, title, playBeep, isSoundReady, onOpen }: NotifierDeps) {
  let gathered: Notice[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let listOnScreen = false;
  const known = new Set<number>();
  const onDesktop = new Map<string, { id: number; close: () => void }>();

  function tell(): void {
    const newest = new Map(gathered.map((notice) => [notice.userId, notice]));
    gathered = [];
    const settings = identity.side === 'admin' ? readNotificationSettings() : residentSettings;
    if (!settings.notifications) return;
    if (settings.chatSound) void playBeep();
    for (const { id, userId, name, content } of newest.values()) {
      const preview = previewOf(content);
      if (settings.desktopNotifications) {
        const close = showDesktop(`Pesan baru dari ${name}`, preview, `pbb-chat-${userId}`, () => onOpen(userId));
        onDesktop.set(userId, { id, close });
      }
      if (document.visibilityState === 'visible' && !listOnScreen) notify.info(`${name}: ${preview}`);
    }
  }

  async function consider(notice: Notice): Promise<void> {
    if (known.has(notice.id)) return;
    known.add(notice.id);
    if (claims.isBeingRead(notice.userId)) {
      claims.settle(notice.id);
      return;
    }
    title.mark(notice.id, notice.userId);
    const waitMs =
      (document.visibilityState === 'visible' ? 0 : HIDDEN_WAIT_MS) + (isSoundReady() ? 0 : SILENT_WAIT_MS);
    if (!(await claims.claim(notice.id, waitMs)) || claims.isBeingRead(notice.userId)) return;
    gathered.push(notice);
    clearTimeout(timer);
    timer = setTimeout(tell, GATHER_MS);
  }

  return {
    /** A message of the other side reached this page just now. The same one again does nothing. */
    incoming({ _id, user_id, sender_name, content }: Message): void {
      void consider({ id: Number(_id), userId: ownOf(identity, user_id), name: sender_name, content });
    },
    /** Rows of a polled list whose last message is new. */
    newer(rows: readonly ConversationSummary[]): void {
      for (const { last_message, other_user } of rows) {
        if (!last_message || last_message.from_admin) continue;
        const { _id, content } = last_message;
        void consider({ id: Number(_id), userId: other_user._id, name: other_user.name, content });
      }
    },
    /** This side has read a conversation up to a message, here or in another tab. */
    seen: (userId: string, upTo: number): void => {
      title.seen(userId, upTo);
      const notification = onDesktop.get(userId);
      if (!notification || notification.id > upTo) return;
      notification.close();
      onDesktop.delete(userId);
    },
    /** Which conversation is open in front of somebody's eyes here. */
    attend: (userId: string | null): void => claims.setReading(userId),
    /** Where the list itself is on the screen, its rows are the preview. */
    setListOnScreen(value: boolean): void {
      listOnScreen = value;
    },
    stop(): void {
      clearTimeout(timer);
      claims.stop();
      title.stop();
    },
  };
}
export type Notifier = ReturnType<typeof createNotifier>;

function ownOf(identity: Identity, userId: string): string {
  return identity.side === 'user' ? identity.selfId : userId;
}
