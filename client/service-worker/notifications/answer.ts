import { keepReply, type KeptReply, removeReply } from '#client/lib/notifications/device-store.ts';
import {
  NOTIFICATION_BADGE,
  NOTIFICATION_ICON,
  type NotificationData,
  replyTag,
  withdraw,
} from '#client/lib/notifications/show-once.ts';
import { API_TIMEOUT_MS } from '#shared/limits.ts';
import { showBadge, tellPages } from './device.ts';

declare const self: ServiceWorkerGlobalScope;

/** Between the tries; the browser lets a service worker live about half a minute after a press. */
const RETRY_DELAYS_MS = [1000, 4000];
const EXCERPT_LENGTH = 50;

type Outcome = 'done' | 'refused' | 'unreachable';

/** The server says how many messages stay unread. */
async function showAnsweredBadge(answer: Response): Promise<void> {
  try {
    const { data } = (await answer.json()) as { data?: { unread?: unknown } };
    if (typeof data?.unread === 'number') await showBadge(data.unread);
  } catch {
    // It is done; the next push has the number.
  }
}

async function tryOnce(body: string): Promise<Outcome> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), API_TIMEOUT_MS);
  try {
    const answer = await fetch('/api/push/actions', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body,
      signal: abort.signal,
    });
    if (answer.ok) {
      await showAnsweredBadge(answer);
      return 'done';
    }
    const maySucceedLater = answer.status >= 500 || answer.status === 429 || answer.status === 408;
    return maySucceedLater ? 'unreachable' : 'refused';
  } catch {
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}

async function act(action: object): Promise<Outcome> {
  const body = JSON.stringify(action);
  let outcome = await tryOnce(body);
  for (const delay of RETRY_DELAYS_MS) {
    if (outcome !== 'unreachable') break;
    await new Promise((resolve) => setTimeout(resolve, delay));
    outcome = await tryOnce(body);
  }
  return outcome;
}

/** The notification stays until the server knows it. */
export async function markAsRead(notification: Notification, data: NotificationData, token: string): Promise<void> {
  const outcome = await act({ action: 'read', action_token: token });
  if (outcome === 'done') {
    await withdraw(self.registration, notification.tag, Number(data.message_id) || 0);
    return;
  }
  const { action_token: _used, ...rest } = data;
  await self.registration.showNotification(notification.title, {
    body:
      outcome === 'refused'
        ? 'Tombol ini sudah tidak berlaku. Ketuk untuk membuka percakapan.'
        : 'Belum dapat ditandai dibaca: tidak ada koneksi. Ketuk untuk membuka percakapan.',
    tag: notification.tag,
    data: rest,
    icon: NOTIFICATION_ICON,
    badge: NOTIFICATION_BADGE,
    lang: 'id',
    silent: true,
  });
}

/** @returns false where the browser has no space; it is sent all the same */
const tryToKeep = (reply: KeptReply): Promise<boolean> =>
  keepReply(reply).then(
    () => true,
    () => false,
  );

/** Stores the typed text first, so that it survives even if the browser ends the service worker (R-PUSH-46). */
export async function sendReply(
  notification: Notification,
  data: NotificationData,
  token: string,
  content: string,
): Promise<void> {
  const kept: KeptReply = {
    id: crypto.randomUUID(),
    accountId: data.receiver_id,
    userId: data.user_id,
    content,
    at: Date.now(),
    failed: false,
  };
  const isKept = await tryToKeep(kept);
  const outcome = await act({ action: 'reply', action_token: token, content, client_id: kept.id });
  if (outcome === 'done') {
    if (isKept) await removeReply(kept.id);
    await withdraw(self.registration, notification.tag, Number(data.message_id) || 0);
    return;
  }
  notification.close();
  const isDraft = (await tryToKeep({ ...kept, failed: true })) || isKept;
  const { action_token: _used, ...rest } = data;
  const excerpt = content.length > EXCERPT_LENGTH ? `${content.slice(0, EXCERPT_LENGTH)}…` : content;
  await self.registration.showNotification('Balasan belum terkirim', {
    body: isDraft
      ? `“${excerpt}” disimpan sebagai draf. Ketuk untuk membuka percakapan.`
      : `Salin dulu, karena perangkat ini tidak dapat menyimpannya: ${content}`,
    // Beside the message, which a newer one may replace.
    tag: replyTag(data.user_id),
    data: rest,
    icon: NOTIFICATION_ICON,
    badge: NOTIFICATION_BADGE,
    lang: 'id',
  });
  await tellPages({ type: 'reply-kept' });
}
