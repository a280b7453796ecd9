import { beginningOf } from '#shared/notification-text.ts';

/** A message on one line, cut at 50 characters plus an ellipsis (R-CHAT-24). */
export function notificationPreview(content: string): string {
  const { text, isCut } = beginningOf(content);
  return isCut ? `${text}…` : text;
}
