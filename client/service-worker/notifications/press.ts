import { readDeviceAccount } from '#client/lib/notifications/device-store.ts';
import { readNotificationData } from '#client/lib/notifications/show-once.ts';
import { paths } from '#client/paths.ts';
import { markAsRead, sendReply } from './answer.ts';
import { openConversation, openStart } from './open-conversation.ts';

/** A notification or one of its buttons was pressed. */
export async function press(event: NotificationEvent): Promise<void> {
  const { notification, action } = event;
  const data = readNotificationData(notification);
  // Where the platform has a field for it (R-PUSH-46); elsewhere the button opens the conversation.
  const { reply = null } = event as { reply?: string | null };
  const account = await readDeviceAccount();
  if (!data || account?.id !== data.receiver_id) {
    notification.close();
    await openStart(paths.home);
  } else if (data.user_id === '') {
    // Of a test, which belongs to no conversation.
    notification.close();
    await openStart(data.url);
  } else if (action === 'read' && data.action_token !== undefined) {
    await markAsRead(notification, data, data.action_token);
  } else if (action === 'reply' && data.action_token !== undefined && reply !== null && reply.trim() !== '') {
    await sendReply(notification, data, data.action_token, reply.trim());
  } else {
    notification.close();
    await openConversation(data);
  }
}
