import { queryOptions } from '@tanstack/react-query';
import type { QuickReply } from '#shared/api/quick-replies.ts';
import { api } from '#client/lib/api/api.ts';

export type QuickReplyFields = Pick<QuickReply, 'shortcut' | 'title' | 'content' | 'personal'>;

export const quickRepliesKey = ['quick-replies'] as const;

/** Shared ones and the own ones, by shortcut. An event tells of changes (`useReloadQuickReplies`). */
export const quickRepliesQuery = queryOptions({
  queryKey: quickRepliesKey,
  queryFn: ({ signal }) => api.get('/admin/quick-replies', { signal }),
});

export const createQuickReply = (fields: QuickReplyFields): Promise<QuickReply> =>
  api.post('/admin/quick-replies', { body: fields });

/** @param updatedAt of the reply as it was loaded; 409 when it was changed since */
export const updateQuickReply = (id: string, fields: QuickReplyFields, updatedAt: string): Promise<QuickReply> =>
  api.put('/admin/quick-replies/{id}', { params: { id }, body: { ...fields, updated_at: updatedAt } });

export const deleteQuickReply = (id: string) => api.delete('/admin/quick-replies/{id}', { params: { id } });

/** The text of a reply for one user, with the real figures. */
export const fillQuickReply = (id: string, userId: string): Promise<{ text: string; missing: string[] }> =>
  api.post('/admin/quick-replies/{id}/fill', { params: { id }, body: { user_id: userId } });
