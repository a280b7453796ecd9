/**
 * Web Push: what the server sends to the service worker of a browser, encrypted (RFC 8291). Both sides import this file;
 * the service worker loads nothing else with it.
 */

/** The payload of a push about one conversation. The names belong to the API. */
export type PushPayload = {
  title: string;
  /** The first 50 characters of the newest message; a neutral text when the person wants no preview. */
  body: string;
  /** The user of the conversation. */
  user_id: string;
  /** The page of this server that a press opens, as in `/dashboard?obrolan=1`. */
  url: string;
  /** One notification for each conversation: a newer one replaces it, see `notificationTag`. */
  tag: string;
  /** Unread messages of the receiver in all conversations, for the number on the icon. */
  unread: number;
  /** The newest message that it is about: an older push never replaces a newer notification. */
  message_id: string;
  /** The conversation was read elsewhere up to `message_id`: its notification is withdrawn and none is shown. */
  read?: true;
  /** The account that it is for: on a shared phone it says nothing to another one. */
  receiver_id: string;
  /** The message goes on after `body`. */
  is_cut?: true;
  /** Its device rang often enough lately (R-PUSH-21). */
  silent?: true;
  /** Lets the service worker mark as read and answer in the name of this session (R-PUSH-30). */
  action_token?: string;
};

/** The same tag for notifications of pages and of the service worker, so that one replaces the other. */
export const notificationTag = (userId: string): string => `pbb-chat-${userId}`;

/** Of the notification by which a person sees whether notifications arrive; it belongs to no conversation. */
export const testNotificationTag = 'pbb-percobaan';
