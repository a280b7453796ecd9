import { NOTIFICATION_PREVIEW_MAX } from './limits.ts';
import type { MessageKind } from './message-contents.ts';

/** Texts of notifications: those of pages, and those that the server pushes. */

/** Grapheme clusters: a flag or a family emoji is one character and is never cut in two. */
function* graphemesOf(text: string): Generator<string> {
  if (typeof Intl.Segmenter === 'undefined') return yield* text;
  for (const { segment } of new Intl.Segmenter('id', { granularity: 'grapheme' }).segment(text)) yield segment;
}

/** The first 50 characters of a message on one line, and whether there are more (R-CHAT-24). */
export function beginningOf(content: string): { text: string; isCut: boolean } {
  const line = content.replace(/\s+/g, ' ').trim();
  const first: string[] = [];
  for (const character of graphemesOf(line)) {
    if (first.length === NOTIFICATION_PREVIEW_MAX) return { text: first.join(''), isCut: true };
    first.push(character);
  }
  return { text: line, isCut: false };
}

/** @param officeName empty while the office has no name */
export function notificationTitle(senderName: string, kind: MessageKind, officeName: string): string {
  const title = `${kind === 'notice' ? 'Pemberitahuan' : 'Pesan baru'} dari ${senderName}`;
  return officeName === '' ? title : `${title} · ${officeName}`;
}

/** The body of a notification for a person who wants no preview. */
export const NEUTRAL_BODY = 'Buka aplikasi untuk membacanya';
