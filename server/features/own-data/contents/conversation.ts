import { STAFF_NAME } from '#shared/texts.ts';
import { quoteExcerpt } from '#shared/transcript-text.ts';
import type { Connection } from '#server/db/engine.ts';
import { findOwnMessage, type OwnMessageRow, readMessages } from './own-data-queries.ts';

/** A file of a message: its name for people, and its path in the copy; null when it was not on the disk any more. */
export type CopiedFile = { name: string; path: string | null; type: string };
/** The files of the conversation by message, in their order. */
export type CopiedFiles = ReadonlyMap<number, readonly CopiedFile[]>;

export type OwnMessage = {
  id: number;
  at: string;
  from: string;
  isOwn: boolean;
  kind: OwnMessageRow['kind'];
  text: string;
  quoted: { sender_name: string; excerpt: string } | null;
  record: OwnMessageRow['recordThen'];
  files: readonly CopiedFile[];
};

const senderOf = ({ fromAdmin, senderName }: OwnMessageRow): string => (fromAdmin ? STAFF_NAME : senderName);

/** Staff sign their messages now and then. What the account itself wrote stays as it is. */
const textOf = ({ fromAdmin, senderName, content }: OwnMessageRow): string =>
  fromAdmin && senderName.trim() !== '' ? content.replaceAll(senderName, STAFF_NAME) : content;

function quotedOf(row: OwnMessageRow): OwnMessage['quoted'] {
  const { photoCount: photos, documentCount: documents, recordThen } = row;
  const contents = { photos, documents, recordYear: recordThen?.year ?? null };
  return { sender_name: senderOf(row), excerpt: quoteExcerpt(textOf(row), contents) };
}

/** The conversation of an account as the copy shows it, without the names of staff. */
export async function* readConversation(
  orm: Connection,
  userId: string,
  filesByMessage: CopiedFiles,
): AsyncGenerator<OwnMessage> {
  for await (const row of readMessages(orm, userId)) {
    const quoted = row.replyTo === null ? undefined : await findOwnMessage(orm, userId, row.replyTo);
    yield {
      id: row.id,
      at: new Date(row.createdAt).toISOString(),
      from: senderOf(row),
      isOwn: !row.fromAdmin,
      kind: row.kind,
      text: textOf(row),
      quoted: quoted ? quotedOf(quoted) : null,
      record: row.recordThen,
      files: filesByMessage.get(row.id) ?? [],
    };
  }
}
