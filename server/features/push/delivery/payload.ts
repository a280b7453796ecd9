import { createHash } from 'node:crypto';
import { previewByKind } from '#shared/message-contents.ts';
import { beginningOf, NEUTRAL_BODY, notificationTitle } from '#shared/notification-text.ts';
import { notificationTag, type PushPayload } from '#shared/push.ts';
import type { UnreadMessage } from './delivery-queries.ts';

/** Pages of the client; the press on a notification opens the conversation there, ready to answer. */
const conversationUrl = (userId: string, isAdmin: boolean): string =>
  isAdmin ? `/admin/chat?user=${encodeURIComponent(userId)}` : '/dashboard?obrolan=1';

type About = { userId: string; receiver: { id: string; isAdmin: boolean }; unread: number; isSilent?: boolean };
/** `officeName` stands in the title; empty while the office has no name. */
type AboutMessage = About & { officeName: string };

function basePayload({ userId, receiver, unread, isSilent }: About) {
  return {
    user_id: userId,
    receiver_id: receiver.id,
    url: conversationUrl(userId, receiver.isAdmin),
    tag: notificationTag(userId),
    unread,
    ...(isSilent ? { silent: true as const } : {}),
  };
}

/** The notification of the newest message. @param actionToken for its buttons */
export function presentPush(
  { officeName, ...about }: AboutMessage,
  { id, kind, content, senderName, photoCount, documentCount, recordYear }: UnreadMessage,
  { showsPreview, actionToken }: { showsPreview: boolean; actionToken: string },
): PushPayload {
  const contents = { photos: photoCount, documents: documentCount, recordYear };
  const beginning = showsPreview ? beginningOf(previewByKind(content, kind, contents)) : null;
  return {
    title: notificationTitle(senderName, kind, officeName),
    body: beginning?.text ?? NEUTRAL_BODY,
    ...(beginning?.isCut ? { is_cut: true } : {}),
    ...basePayload(about),
    message_id: String(id),
    action_token: actionToken,
  };
}

/** The smallest notification, for a push service that found the whole too large. */
export const presentShortPush = (
  { officeName, ...about }: AboutMessage,
  { id, kind, senderName }: UnreadMessage,
): PushPayload => ({
  title: notificationTitle(senderName, kind, officeName),
  body: '',
  ...basePayload(about),
  message_id: String(id),
});

/** Takes the notification away that a device shows. */
export const presentWithdrawal = (about: About, messageId: number): PushPayload => ({
  title: '',
  body: '',
  ...basePayload(about),
  message_id: String(messageId),
  read: true,
});

/** Push services keep one push for each topic while a phone is off. It tells them nothing of the conversation. */
export const topicOf = (userId: string): string => createHash('sha256').update(userId).digest('base64url').slice(0, 32);
