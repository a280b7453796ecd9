import { conversationsAnswer, historyAnswer, type ConversationSummary, type History } from '#shared/api/chat.ts';
import { type Connection, readSnapshot } from '#server/db/open.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/encoded-answer.ts';
import { presentSingle } from '#server/http/present.ts';
import { createHistoryQueries, type HistoryQueries } from './history-queries.ts';
import { type ConversationsFilter, readConversations } from './list-queries.ts';
import type { ConversationRow } from './message-queries.ts';
import { presentConversation, presentHistory } from './present.ts';
import { findConversation, readUnreadForAdmins } from './queries.ts';

export type ConversationPage = { rows: ConversationSummary[]; total: number; totalUnread: number };
export type HistoryPage = { limit: number; page: number; before?: number | undefined; after?: number | undefined };

/** The body of `GET /messages/conversations`, without its envelope. */
export function presentConversationPage(
  { rows, total, totalUnread }: ConversationPage,
  { limit, page }: { limit: number; page: number },
) {
  return {
    ...presentSingle('Daftar percakapan', rows),
    total,
    per_page: limit,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / limit)),
    has_more: page * limit < total,
    total_unread: totalUnread,
  };
}

type ConversationsRequest = { filter: ConversationsFilter; page: number; acceptsGzip: boolean };

/** The whole answer with a page of the inbox, for an admin; the query worker makes it. */
export function encodeConversationsAnswer(
  orm: Connection,
  { filter, page, acceptsGzip }: ConversationsRequest,
): EncodedAnswer {
  const found = readSnapshot(orm, (tx) => ({
    ...readConversations(tx, filter),
    totalUnread: readUnreadForAdmins(tx),
  }));
  const rows = found.rows.map((row) => presentConversation(row, row.unreadForAdmin));
  const answer = presentConversationPage({ ...found, rows }, { limit: filter.limit, page });
  return encodeAnswer(conversationsAnswer, answer, acceptsGzip);
}

/** A page of a conversation. @param row of the same snapshot */
export function readHistoryPage(
  history: HistoryQueries,
  row: ConversationRow,
  { limit, page, before, after }: HistoryPage,
): History {
  const total = row.userOrdinal + row.adminOrdinal - row.clearedCount;
  const isByMessage = before !== undefined || after !== undefined;
  // Any page past the end is empty, so a huge number costs nothing.
  const offset = Math.min(((isByMessage ? 1 : page) - 1) * limit, total);
  const slice = history.readHistory({ userId: row.userId, clearedId: row.clearedId, limit, before, after, offset });
  return presentHistory(row, slice, { total, page: isByMessage ? 1 : page, limit });
}

type HistoryRequest = { userId: string; page: HistoryPage; acceptsGzip: boolean };

/** The whole answer with a long page of a conversation; the query worker makes it. @returns null when it is gone */
export function encodeHistoryAnswer(
  orm: Connection,
  { userId, page, acceptsGzip }: HistoryRequest,
): EncodedAnswer | null {
  const found = readSnapshot(orm, (tx) => {
    const row = findConversation(tx, userId);
    return row && readHistoryPage(createHistoryQueries(tx), row, page);
  });
  return found ? encodeAnswer(historyAnswer, presentSingle('Isi percakapan', found), acceptsGzip) : null;
}
