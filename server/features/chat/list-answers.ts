import {
  conversationsAnswer,
  historyAnswer,
  type ConversationSummary,
  type History,
  type HistoryQuery,
} from '#shared/api/chat/chat.ts';
import { type Connection, type ConnectionOrTransaction, readSnapshot } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { createLinkForSession, type CreateLink, type LinkSigningForSession } from '#server/uploads/upload-links.ts';
import { readMessageParts } from './message-parts.ts';
import { historyQueries } from './history-queries.ts';
import {
  type ConversationsFilter,
  countInbox,
  type InboxCaller,
  readConversations,
  readInboxDetails,
} from './list-queries.ts';
import type { ConversationRow } from './message-queries.ts';
import { presentHistory, presentInboxRow } from './present.ts';
import { findConversation, readUnreadForAdmins } from './queries.ts';

export type ConversationPage = { rows: ConversationSummary[]; total: number; totalUnread: number };
export type HistoryPage = Pick<HistoryQuery, 'before' | 'after' | 'around'> & { limit: number; page: number };

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

type InboxRequest = {
  filter: ConversationsFilter & { inbox: InboxCaller };
  page: number;
  acceptsGzip: boolean;
};

/** The whole answer with a page of the inbox, for an admin; the query worker makes it. */
export async function encodeConversationsAnswer(
  orm: Connection,
  { filter, page, acceptsGzip }: InboxRequest,
): Promise<EncodedAnswer> {
  const found = await readSnapshot(orm, async (tx) => {
    const { rows, total } = await readConversations(tx, filter);
    const userIds = rows.map(({ user }) => user.id);
    const details = await readInboxDetails(
      tx,
      userIds,
      rows.flatMap(({ claimedBy }) => claimedBy ?? []),
    );
    return {
      rows: rows.map((row) => presentInboxRow(row, details, filter.inbox.nowMs)),
      total,
      totalUnread: await readUnreadForAdmins(tx),
      counts: await countInbox(tx, filter.inbox),
    };
  });
  const answer = {
    ...presentConversationPage(found, { limit: filter.limit, page }),
    counts: found.counts,
  };
  return encodeAnswer(conversationsAnswer, answer, acceptsGzip);
}

/** A page of a conversation. @param orm of the same snapshot as `row` */
export async function readHistoryPage(
  orm: ConnectionOrTransaction,
  row: ConversationRow,
  { limit, page, before, after, around }: HistoryPage,
  linkFor: CreateLink,
): Promise<History> {
  const { userId, clearedId } = row;
  const total = row.userOrdinal + row.adminOrdinal - row.clearedCount;
  if (around !== undefined) {
    const { rows, hasOlder, hasNewer } = await historyQueries(orm).readAround({ userId, clearedId, limit }, around);
    const more = { has_more: hasOlder, has_older: hasOlder, has_newer: hasNewer };
    return presentHistory(
      row,
      { rows, parts: await readMessageParts(orm, rows), linkFor },
      { total, page: 1, limit, ...more },
    );
  }
  const isByMessage = before !== undefined || after !== undefined;
  // Any page past the end is empty, so a huge number costs nothing.
  const offset = Math.min(((isByMessage ? 1 : page) - 1) * limit, total);
  const { rows, hasMore } = await historyQueries(orm).readHistory({ userId, clearedId, limit, before, after, offset });
  const paging = { total, page: isByMessage ? 1 : page, limit, has_more: hasMore };
  return presentHistory(row, { rows, parts: await readMessageParts(orm, rows), linkFor }, paging);
}

type HistoryRequest = {
  userId: string;
  page: HistoryPage;
  linkSigning: LinkSigningForSession;
  acceptsGzip: boolean;
};

/** The whole answer with a long page of a conversation; the query worker makes it. @returns null when it is gone */
export async function encodeHistoryAnswer(
  orm: Connection,
  { userId, page, linkSigning, acceptsGzip }: HistoryRequest,
): Promise<EncodedAnswer | null> {
  const found = await readSnapshot(orm, async (tx) => {
    const row = await findConversation(tx, userId);
    return row && readHistoryPage(tx, row, page, createLinkForSession(linkSigning));
  });
  return found ? encodeAnswer(historyAnswer, presentSingle('Isi percakapan', found), acceptsGzip) : null;
}
