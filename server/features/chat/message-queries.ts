import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { conversations, messages } from '#server/db/schema.ts';
import type { Connection } from '#server/db/open.ts';

export type MessageRow = typeof messages.$inferSelect;
export type ConversationRow = typeof conversations.$inferSelect;

/** SQLite has no booleans. */
type Stored<T> = { [K in keyof T]: T[K] extends boolean ? number : T[K] };

/** A `select` of every column of a table, under its name in the code. */
function selectFrom(table: Table): string {
  const columns = Object.entries(getTableColumns(table)).map(([key, { name }]) => `"${name}" as "${key}"`);
  return `select ${columns.join(', ')} from "${getTableName(table)}"`;
}

/**
 * The statements that every message runs, prepared once and without Drizzle, whose building of rows would cost more than
 * finding them. Single look-ups instead of joins, which SQLite answers several times more slowly. They use the write queue's
 * connection, so inside a commit they are part of its transaction.
 */
export function createMessageQueries({ $client: sqlite }: Connection) {
  const sent = sqlite.prepare<[string, string], Stored<MessageRow>>(
    `${selectFrom(messages)} where sender_id = ? and client_id = ?`,
  );
  const conversation = sqlite.prepare<[string], ConversationRow>(`${selectFrom(conversations)} where user_id = ?`);
  const userById = sqlite.prepare<[string], { id: string; name: string; isAdmin: number }>(
    'select id, name, is_admin as isAdmin from users where id = ?',
  );
  const insert = sqlite.prepare<Stored<Omit<MessageRow, 'id'>>>(
    `insert into messages
      (user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, reply_to, side_ordinal, created_at)
      values (@userId, @senderId, @senderName, @fromAdmin, @content, @clientId, @prevId, @replyTo, @sideOrdinal, @createdAt)`,
  );
  const advance = sqlite.prepare<[number, number, number, number | null, string]>(
    `update conversations
      set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, unanswered_since = ? where user_id = ?`,
  );

  return {
    findSentMessage(senderId: string, clientId: string): MessageRow | undefined {
      const row = sent.get(senderId, clientId);
      return row && { ...row, fromAdmin: row.fromAdmin === 1 };
    },
    findConversation: (userId: string): ConversationRow | undefined => conversation.get(userId),
    findUser(id: string) {
      const row = userById.get(id);
      return row && { ...row, isAdmin: row.isAdmin === 1 };
    },
    /** @returns the new message's id */
    insertMessage: (row: Omit<MessageRow, 'id'>): number =>
      Number(insert.run({ ...row, fromAdmin: row.fromAdmin ? 1 : 0 }).lastInsertRowid),
    advanceConversation(
      row: Pick<ConversationRow, 'userId' | 'lastMessageId' | 'userOrdinal' | 'adminOrdinal' | 'unansweredSince'>,
    ): void {
      advance.run(row.lastMessageId, row.userOrdinal, row.adminOrdinal, row.unansweredSince, row.userId);
    },
  };
}
