import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { conversations, messages } from '#server/db/schema.ts';
import { perStatements } from '#server/db/engine.ts';

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

/** Texts that stay the same object: the prepared statement of a text is found by it. */
const SENT = `${selectFrom(messages)} where sender_id = ? and client_id = ?`;
const MESSAGE = `${selectFrom(messages)} where id = ?`;
const CONVERSATION = `${selectFrom(conversations)} where user_id = ?`;

const readRow = (row: Stored<MessageRow> | undefined): MessageRow | undefined =>
  row && {
    ...row,
    fromAdmin: row.fromAdmin === 1,
    recordThen: row.recordThen === null ? null : (JSON.parse(row.recordThen) as MessageRow['recordThen']),
  };

/**
 * The statements that every message runs, without Drizzle, whose building of rows would cost more than finding them. Single
 * look-ups instead of joins, which SQLite answers several times more slowly.
 */
export const messageQueries = perStatements((tx) => ({
  findSentMessage: async (senderId: string, clientId: string): Promise<MessageRow | undefined> => {
    return readRow(await tx.get(SENT, senderId, clientId));
  },
  findMessage: async (id: number): Promise<MessageRow | null> => {
    return readRow(await tx.get(MESSAGE, id)) ?? null;
  },
  findConversation: (userId: string): Promise<ConversationRow | undefined> => tx.get(CONVERSATION, userId),
  findUser: async (id: string) => {
    type StoredUser = { id: string; name: string; isAdmin: number };
    const row = await tx.get<StoredUser>('select id, name, is_admin as "isAdmin" from users where id = ?', id);
    return row && { ...row, isAdmin: row.isAdmin === 1 };
  },
  /** @returns the new message's id */
  async insertMessage(row: Omit<MessageRow, 'id'>): Promise<number> {
    const id = await tx.value<number>(
      `insert into messages
        (user_id, sender_id, sender_name, from_admin, content, kind, photo_count, document_count, record_id, record_then,
          client_id, prev_id, reply_to, side_ordinal, waited_since, created_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning id`,
      row.userId,
      row.senderId,
      row.senderName,
      row.fromAdmin ? 1 : 0,
      row.content,
      row.kind,
      row.photoCount,
      row.documentCount,
      row.recordId,
      row.recordThen && JSON.stringify(row.recordThen),
      row.clientId,
      row.prevId,
      row.replyTo,
      row.sideOrdinal,
      row.waitedSince,
      row.createdAt,
    );
    if (id === undefined) throw new Error('the message has no id');
    return id;
  },
  advanceConversation: (row: AdvancedConversation): Promise<unknown> =>
    tx.run(
      `update conversations
        set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, unanswered_since = ?, claimed_by = ?, claimed_at = ?,
          snoozed_until = ?
        where user_id = ?`,
      row.lastMessageId,
      row.userOrdinal,
      row.adminOrdinal,
      row.unansweredSince,
      row.claimedBy,
      row.claimedAt,
      row.snoozedUntil,
      row.userId,
    ),
}));
