import { readDeviceAccount } from '#client/lib/notifications/device-store.ts';
import { type NotificationButton, showOnce, withdraw } from '#client/lib/notifications/show-once.ts';
import { NEUTRAL_BODY } from '#shared/notification-text.ts';
import type { PushPayload } from '#shared/push.ts';
import { endSubscription, showBadge } from './device.ts';

declare const self: ServiceWorkerGlobalScope;

const TEXTS = ['title', 'body', 'user_id', 'url', 'tag', 'message_id', 'receiver_id'] as const;

/** @returns null for what another version of the server may send */
function readPayload(data: PushMessageData | null): PushPayload | null {
  try {
    const value = data?.json() as Partial<Record<keyof PushPayload, unknown>> | null | undefined;
    if (!value || TEXTS.some((name) => typeof value[name] !== 'string')) return null;
    return value as PushPayload;
  } catch {
    return null;
  }
}

const buttons: readonly NotificationButton[] = [
  { action: 'reply', type: 'text', title: 'Balas', placeholder: 'Tulis balasan' },
  { action: 'read', title: 'Tandai dibaca' },
];

export async function receivePush(data: PushMessageData | null): Promise<void> {
  const payload = readPayload(data);
  if (!payload) return;
  const account = await readDeviceAccount();
  if (account?.id !== payload.receiver_id) {
    // Sent before somebody signed out here. With nobody signed in no push may come any more.
    if (!account) await endSubscription();
    return;
  }
  const { title, body, user_id, url, tag, message_id, receiver_id, unread, read, is_cut, silent, action_token } =
    payload;
  const base = { receiver_id, user_id, url, message_id };
  const shown = read
    ? withdraw(self.registration, tag, Number(message_id) || 0)
    : showOnce(self.registration, {
        title,
        body: body === '' ? NEUTRAL_BODY : is_cut ? `${body}…` : body,
        tag,
        isSilent: silent === true,
        ...(action_token === undefined ? { data: base } : { data: { ...base, action_token }, actions: buttons }),
      });
  // No platform's icon may keep the notification waiting.
  await Promise.all([shown, Number.isInteger(unread) ? showBadge(unread) : null]);
}
