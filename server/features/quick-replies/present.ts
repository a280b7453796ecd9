import type { QuickReply } from '#shared/api/quick-replies.ts';
import { presentIds } from '#server/http/answers/present.ts';
import type { QuickReplyRow } from './queries.ts';

export function presentQuickReply({ id, ownerId, shortcut, title, content, updatedAt }: QuickReplyRow): QuickReply {
  return {
    ...presentIds(id),
    shortcut,
    title,
    content,
    personal: ownerId !== null,
    updated_at: new Date(updatedAt).toISOString(),
  };
}
