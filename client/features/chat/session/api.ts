import type { AdminContact } from '#shared/api/auth.ts';
import type { ConversationSummary, History, Message } from '#shared/api/chat.ts';
import { api } from '#client/lib/api.ts';

type HistoryQuery = { limit: number; before?: number; after?: number };
export type ConversationsQuery = {
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
  contact: () => api.get<AdminContact>('/auth/admin-contact'),
  history: (peerId: string, query: HistoryQuery) => api.get<History>(conversationPath(peerId), { query }),
  conversations: (query: ConversationsQuery) => api.get<ConversationSummary[]>('/messages/conversations', { query }),
  person: (userId: string) =>
    api.get<{ id: string; name: string; email: string }>(`/admin/users/${encodeURIComponent(userId)}`),
  send: (peerId: string, content: string, clientId: string) =>
    api.post<Message>('/messages/send', { to_user_id: peerId, content, client_id: clientId }),
  seen: (peerId: string, upTo: number) =>
    api.post<{ user_id: string; unread_count: number }>(`${conversationPath(peerId)}/seen`, { up_to: String(upTo) }),
  clear: (peerId: string) => api.del(conversationPath(peerId)),
};
export type ChatApi = typeof chatApi;
