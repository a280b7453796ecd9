import { NOTIFICATION_PREVIEW_MAX } from '#shared/limits.ts';

/** Grapheme clusters: a flag or a family emoji is one character and is never cut in two. */
function graphemesOf(text: string): string[] {
  if (typeof Intl.Segmenter === 'undefined') return Array.from(text);
  return Array.from(new Intl.Segmenter('id', { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** A message on one line, cut at 50 characters plus an ellipsis (R-CHAT-24). */
export function notificationPreview(content: string): string {
  const line = content.replace(/\s+/g, ' ').trim();
  const characters = graphemesOf(line);
  return characters.length > NOTIFICATION_PREVIEW_MAX
    ? `${characters.slice(0, NOTIFICATION_PREVIEW_MAX).join('')}…`
    : line;
}
