import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { conversations, messages } from '#server/db/schema.ts';
import type { Connection } from '#server/db/open.ts';

export type MessageRow = typeof messages.$inferSelect;
export type ConversationRow = typeof conversations.$inferSelect;

/** The columns that a new message changes in its conversation. */
type AdvancedConversation = Pick<
  ConversationRow,
  | 'userId'
  | 'lastMessageId'
  | 'userOrdinal'
  | 'adminOrdinal'
  | 'unansweredSince'
  | 'claimedBy'
  | 'claimedAt'
  | 'snoozedUntil'
>;

/** SQLite has no booleans and no objects. */
type Stored<T> = {
  [K in keyof T]: T[K] extends boolean ? number : K extends 'recordThen' ? string | null : T[K];
};

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
  const messageById = sqlite.prepare<[number], Stored<MessageRow>>(`${selectFrom(messages)} where id = ?`);
  const conversation = sqlite.prepare<[string], ConversationRow>(`${selectFrom(conversations)} where user_id = ?`);
  const userById = sqlite.prepare<[string], { id: string; name: string; isAdmin: number }>(
    'select id, name, is_admin as isAdmin from users where id = ?',
  );
  const insert = sqlite.prepare<Stored<Omit<MessageRow, 'id'>>>(
    `insert into messages
      (user_id, sender_id, sender_name, from_admin, content, kind, photo_count, document_count, record_id, record_then,
        client_id, prev_id, reply_to, side_ordinal, waited_since, created_at)
      values (@userId, @senderId, @senderName, @fromAdmin, @content, @kind, @photoCount, @documentCount, @recordId, @recordThen,
        @clientId, @prevId, @replyTo, @sideOrdinal, @waitedSince, @createdAt)`,
  );
  const advance = sqlite.prepare<AdvancedConversation>(
    `update conversations
      set last_message_id = @lastMessageId, user_ordinal = @userOrdinal, admin_ordinal = @adminOrdinal,
        unanswered_since = @unansweredSince, claimed_by = @claimedBy, claimed_at = @claimedAt, snoozed_until = @snoozedUntil
      where user_id = @userId`,
  );

  const readRow = (row: Stored<MessageRow> | undefined): MessageRow | undefined =>
    row && {
      ...row,
      fromAdmin: row.fromAdmin === 1,
      recordThen: row.recordThen === null ? null : (JSON.parse(row.recordThen) as MessageRow['recordThen']),
    };

  return {
    findSentMessage: (senderId: string, clientId: string): MessageRow | undefined =>
      readRow(sent.get(senderId, clientId)),
    findMessage: (id: number): MessageRow | null => readRow(messageById.get(id)) ?? null,
    findConversation: (userId: string): ConversationRow | undefined => conversation.get(userId),
    findUser(id: string) {
      const row = userById.get(id);
      return row && { ...row, isAdmin: row.isAdmin === 1 };
    },
    /** @returns the new message's id */
    insertMessage: (row: Omit<MessageRow, 'id'>): number =>
      Number(
        insert.run({
          ...row,
          fromAdmin: row.fromAdmin ? 1 : 0,
          recordThen: row.recordThen && JSON.stringify(row.recordThen),
        }).lastInsertRowid,
      ),
    advanceConversation: (row: AdvancedConversation): void => void advance.run(row),
  };
}
