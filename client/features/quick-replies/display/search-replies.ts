import type { QuickReply } from '#shared/api/quick-replies.ts';

/** Without capitals and diacritics. */
const foldText = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Enter inserts the best result unseen, so a word that only stands in a text never comes before one in a title. */
function rankOf({ shortcut, title, content }: QuickReply, query: string): number {
  const [foldedShortcut, foldedTitle] = [foldText(shortcut), foldText(title)];
  if (foldedShortcut.startsWith(query)) return 0;
  if (foldedTitle.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(query))) return 1;
  if (foldedShortcut.includes(query) || foldedTitle.includes(query)) return 2;
  return foldText(content).includes(query) ? 3 : -1;
}

/** The replies that have every word of a search in shortcut, title or text: the best first, then in their order, which is by shortcut. */
export function searchReplies(replies: readonly QuickReply[], search: string): QuickReply[] {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return replies
    .map((reply) => ({ reply, ranks: words.map((word) => rankOf(reply, word)) }))
    .filter(({ ranks }) => !ranks.includes(-1))
    .toSorted((a, b) => Math.max(0, ...a.ranks) - Math.max(0, ...b.ranks))
    .map(({ reply }) => reply);
}
