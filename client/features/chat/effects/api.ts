import { api } from '#client/lib/api/api.ts';
import type { ConversationsAnswer } from '../state/model/conversation-list.ts';

export type HistoryParams = { limit: number; before?: number; after?: number; around?: number };
export type ConversationsParams = {
  limit: number;
  page: number;
  search?: string;
  unread?: 1;
  all?: 1;
  state?: 'waiting' | 'snoozed' | 'mine' | 'unclaimed';
  sort?: 'waiting';
  /** Only these, with commas between them. */
  user_ids?: string;
};

/** The REST calls of the chat. `peerId`: a user's id for an admin, an admin's id for a user. */
export const chatApi = {
  fetchAdminContact: () => api.get('/auth/admin-contact'),
  fetchHistory: (peerId: string, query: HistoryParams) =>
    api.get('/messages/conversation/{userId}', { params: { userId: peerId }, query }),
  /** The whole answer: the rows are its `data`, the counts stand beside them. */
  fetchConversations: (query: ConversationsParams): Promise<ConversationsAnswer> =>
    api.getAnswer('/messages/conversations', { query }),
  fetchUser: (userId: string): Promise<{ id: string; name: string; email: string; is_active: boolean }> =>
    api.get('/admin/users/{id}', { params: { id: userId } }),
  sendMessage: (
    peerId: string,
    content: string,
    clientId: string,
    extras: { replyTo?: string; seenId?: string; attachmentIds?: string[]; recordId?: string } = {},
  ) =>
    api.post('/messages/send', {
      body: {
        to_user_id: peerId,
        content,
        client_id: clientId,
        ...(extras.replyTo === undefined ? {} : { reply_to: extras.replyTo }),
        ...(extras.seenId === undefined ? {} : { seen_id: extras.seenId }),
        ...(extras.attachmentIds === undefined ? {} : { attachment_ids: extras.attachmentIds }),
        ...(extras.recordId === undefined ? {} : { record_id: extras.recordId }),
      },
    }),
  uploadAttachment: (
    form: FormData,
    options: { signal: AbortSignal; onProgress: (fraction: number) => void; quietMs: number },
  ) => api.postForm('/messages/attachments', { form, ...options }),
  /** Of a file that no message carries; the server keeps one that was sent. */
  removeUpload: (id: string) => api.delete('/messages/attachments/{id}', { params: { id } }),
  markSeen: (peerId: string, upTo: number) =>
    api.post('/messages/conversation/{userId}/seen', {
      params: { userId: peerId },
      body: { up_to: String(upTo) },
    }),
  deleteHistory: (peerId: string) => api.delete('/messages/conversation/{userId}', { params: { userId: peerId } }),
};
export type ChatApi = typeof chatApi;
