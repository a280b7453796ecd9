import { Fragment } from 'react';

type Part = { text: string; href: string | null };

/**
 * Both patterns take time in proportion to the text. The second matches every run of letters, also without an address:
 * a pattern that only matches addresses would start again at each letter of a long run.
 */
const URL_CANDIDATE = /\b(?:https?:\/\/|www\.)[^\s<>"']+/giu;
const WORD_OR_EMAIL = /[\w.%+-]+(@[\w-]+(?:\.[\w-]+)+)?/gu;
const TRAILING_PUNCTUATION = '.,!?;:)]}…';
const SAFE_PROTOCOLS = ['http:', 'https:', 'mailto:'];

function hrefOf(text: string): string | null {
  const address = /^https?:\/\//i.test(text) ? text : text.includes('@') ? `mailto:${text}` : `https://${text}`;
  try {
    const url = new URL(address);
    return SAFE_PROTOCOLS.includes(url.protocol) ? url.href : null;
  } catch {
    // Not a valid URL: it stays text.
    return null;
  }
}

/** A closing bracket belongs to the URL if it was opened inside it. */
function withoutTrailingPunctuation(match: string): string {
  let end = match.length;
  // Not a regular expression: it would try to match from each punctuation mark inside the text.
  while (end > 0 && TRAILING_PUNCTUATION.includes(match.charAt(end - 1))) end -= 1;
  const cut = match.slice(0, end);
  return cut.includes('(') && match.charAt(end) === ')' ? `${cut})` : cut;
}

type Candidate = { match: string; index: number };

function findEmails(content: string, from: number, to: number): Candidate[] {
  return [...content.slice(from, to).matchAll(WORD_OR_EMAIL)].flatMap(({ 0: match, 1: domain, index }) => {
    if (domain === undefined) return [];
    // Punctuation before the address, as in '...a@b.id', is no part of it.
    const start = match.search(/\w/u);
    return [{ match: match.slice(start), index: from + index + start }];
  });
}

function findCandidates(content: string): Candidate[] {
  const candidates: Candidate[] = [];
  let from = 0;
  for (const { 0: match, index } of content.matchAll(URL_CANDIDATE)) {
    // The domain of an e-mail address may begin with 'www.'.
    if (content.charAt(index - 1) === '@') continue;
    candidates.push(...findEmails(content, from, index), { match, index });
    from = index + match.length;
  }
  return [...candidates, ...findEmails(content, from, content.length)];
}

/** Splits a message into plain text and URLs. */
export function splitLinks(content: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { match, index } of findCandidates(content)) {
    const text = withoutTrailingPunctuation(match);
    const href = hrefOf(text);
    if (href === null) continue;
    if (index > from) parts.push({ text: content.slice(from, index), href: null });
    parts.push({ text, href });
    from = index + text.length;
  }
  if (from < content.length) parts.push({ text: content.slice(from), href: null });
  return parts;
}

/** On the screen no line ends between 'Rp' and its number. The stored text keeps its ordinary space. */
export const keepAmountsWhole = (text: string): string => text.replaceAll(/\bRp (?=\d)/g, 'Rp\u00A0');

/**
 * The content of a message as plain text with links. A link sends no referrer, and nothing else in the text is interpreted.
 */
export function LinkedText({ content }: { content: string }) {
  return splitLinks(content).map(({ text, href }, index) =>
    href === null ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other name and never move
      <Fragment key={index}>{keepAmountsWhole(text)}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ),
  );
}
