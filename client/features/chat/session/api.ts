import type { AdminContact } from '#shared/api/auth.ts';
import type { ConversationSummary, History, Message } from '#shared/api/chat.ts';
import { api } from '#client/lib/api.ts';

type HistoryParams = { limit: number; before?: number; after?: number };
export type ConversationsParams = {
  limit: number;
  page: number;
  search?: string;
  unread?: 1;
  unanswered?: 1;
  all?: 1;
};

const conversationPath = (peerId: string) => `/messages/conversation/${encodeURIComponent(peerId)}`;

/** The calls of the chat (specification 7). `peerId`: the resident for an administrator, an administrator for a resident. */
export const chatApi = {
  fetchAdminContact: () => api.get<AdminContact>('/auth/admin-contact'),
  fetchHistory: (peerId: string, query: HistoryParams) => api.get<History>(conversationPath(peerId), { query }),
  fetchConversations: (query: ConversationsParams) =>
    api.get<ConversationSummary[]>('/messages/conversations', { query }),
  fetchUser: (userId: string) =>
    api.get<{ id: string; name: string; email: string }>(`/admin/users/${encodeURIComponent(userId)}`),
  sendMessage: (peerId: string, content: string, clientId: string) =>
    api.post<Message>('/messages/send', { to_user_id: peerId, content, client_id: clientId }),
  markSeen: (peerId: string, upTo: number) =>
    api.post<{ user_id: string; unread_count: number }>(`${conversationPath(peerId)}/seen`, { up_to: String(upTo) }),
  deleteHistory: (peerId: string) => api.del(conversationPath(peerId)),
};
export type ChatApi = typeof chatApi;
