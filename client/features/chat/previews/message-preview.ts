import type { ConversationSummary, Message } from '#shared/api/chat/chat.ts';
import { contentsOf, type MessageContents, type MessageKind, previewByKind } from '#shared/message-contents.ts';

/** The content of a message besides its words. */
export type PreviewIconKind = 'photo' | 'document' | 'record' | 'notice' | null;

/** A message in short: its words, and what stands before them as a picture. */
export type Preview = { text: string; icon: PreviewIconKind };

function iconOf(kind: MessageKind, { photos, documents, recordYear }: MessageContents): PreviewIconKind {
  if (kind === 'notice') return 'notice';
  if (photos > 0) return 'photo';
  if (documents > 0) return 'document';
  return recordYear === null ? null : 'record';
}

function toPreview(content: string, kind: MessageKind, contents: MessageContents): Preview {
  return { text: previewByKind(content, kind, contents), icon: iconOf(kind, contents) };
}

/** A message for a notification, a quote, a list of messages (R-FILE-50). A notice is told by what it says. */
export const previewOf = (message: Message): Preview => toPreview(message.content, message.kind, contentsOf(message));

/** The same for the last message of a conversation. */
export function previewOfLast(last: NonNullable<ConversationSummary['last_message']>): Preview {
  const { content, kind, photos, documents, record_year } = last;
  return toPreview(content, kind, { photos, documents, recordYear: record_year });
}
