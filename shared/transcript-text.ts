import { QUOTE_MAX } from './limits.ts';
import { type MessageContents, type MessageKind, noticeText, previewMessage } from './message-contents.ts';

/** A message in short, so that a quoting message is no longer than two. */
export function quoteExcerpt(content: string, contents: MessageContents): string {
  // Cutting by UTF-16 units first: a long text is not taken apart as a whole.
  const preview = previewMessage(content, contents).slice(0, 2 * QUOTE_MAX);
  return Array.from(preview).slice(0, QUOTE_MAX).join('');
}

/** The text of a message in a transcript, with what it quotes above it. Its own last lines name photos, documents and a record (R-FILE-20). */
export function transcriptText({
  content,
  kind,
  quoted,
}: {
  content: string;
  kind: MessageKind;
  quoted: { sender_name: string; excerpt: string } | null;
}): string {
  if (kind === 'notice') return `Pemberitahuan: ${noticeText(content)}`;
  return quoted ? `Membalas ${quoted.sender_name}: “${quoted.excerpt}”\n${content}` : content;
}
