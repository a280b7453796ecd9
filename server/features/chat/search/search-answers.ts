import { messageSearchAnswer } from '#shared/api/chat/inbox.ts';
import { noticeText } from '#shared/message-contents.ts';
import type { Connection } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { createLinkForSession, type LinkSigningForSession } from '#server/uploads/upload-links.ts';
import { presentMessages } from '../present.ts';
import { type MessageSearch, searchMessages } from './search.ts';
import { type Mark, markTerms, parseTerms } from './terms.ts';

/** About three lines on a phone. */
const SNIPPET_MAX = 160;
/** Characters before the first found word. */
const BEFORE_MAX = 48;
const ELLIPSIS = '…';

/** The whole answer with a page of found messages; the query worker makes it. */
export async function encodeMessageSearchAnswer(
  orm: Connection,
  { acceptsGzip, linkSigning, ...search }: MessageSearch & { linkSigning: LinkSigningForSession; acceptsGzip: boolean },
): Promise<EncodedAnswer> {
  const { found, parts, hasMore, indexedPercent } = await searchMessages(orm, search);
  const messages = presentMessages(
    found.map(({ row }) => row),
    parts,
    createLinkForSession(linkSigning),
  );
  const terms = parseTerms(search.query);
  const data = found.map(({ row, person: { id, name }, marks: inText }, index) => {
    const { content, kind } = row;
    const text = kind === 'notice' ? noticeText(content) : content;
    const { snippet, marks } = cutSnippet(text, text === content ? inText : markTerms(text, terms));
    return { message: messages[index], user: { id, name }, snippet, marks };
  });
  const answer = presentSingle('Hasil pencarian pesan', { data, has_more: hasMore, indexed_percent: indexedPercent });
  return encodeAnswer(messageSearchAnswer, answer, acceptsGzip);
}

/** The part of a text around the first found word, on one line, with the found places in it. */
export function cutSnippet(text: string, marks: readonly Mark[]): { snippet: string; marks: Mark[] } {
  const first = marks[0]?.[0] ?? 0;
  const from = first <= BEFORE_MAX || text.length <= SNIPPET_MAX ? 0 : startOfWord(text, first - BEFORE_MAX, first);
  const to = text.length - from <= SNIPPET_MAX ? text.length : endOfWord(text, from + SNIPPET_MAX, from);
  const prefix = from > 0 ? ELLIPSIS : '';
  const suffix = to < text.length ? ELLIPSIS : '';
  // One character for another, so that the places stay right.
  const snippet = `${prefix}${text.slice(from, to).replaceAll(/\s/gu, ' ')}${suffix}`;
  const shift = prefix.length - from;
  const inside = marks.filter((mark) => mark[0] >= from && mark[0] < to);
  return { snippet, marks: inside.map((mark): Mark => [mark[0] + shift, Math.min(mark[1], to) + shift]) };
}

/** The first start of a word from `at` on and before `until`. */
function startOfWord(text: string, at: number, until: number): number {
  const space = text.slice(at, until).search(/\s/u);
  return wholeCharacter(text, space < 0 ? at : at + space + 1);
}

/** The last end of a word before `at`, if that leaves most of the snippet. */
function endOfWord(text: string, at: number, from: number): number {
  const space = text.slice(0, at + 1).search(/\s\S*$/u);
  return wholeCharacter(text, space > from + SNIPPET_MAX / 2 ? space : at);
}

/** Never between the halves of an emoji. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc_00 && code <= 0xdf_ff ? at + 1 : at;
}
