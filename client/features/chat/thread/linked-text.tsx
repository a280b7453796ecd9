import { Fragment } from 'react';

type Part = { text: string; href: string | null };

const LINK_CANDIDATE = /\b(?:https?:\/\/|www\.)[^\s<>"']+|\b[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/giu;
const TRAILING_PUNCTUATION = /[.,!?;:)\]}…]+$/u;
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
  const cut = match.replace(TRAILING_PUNCTUATION, '');
  return cut.includes('(') && match.charAt(cut.length) === ')' ? `${cut})` : cut;
}

/** Splits a message into plain text and URLs. */
export function splitLinks(content: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const { 0: match, index } of content.matchAll(LINK_CANDIDATE)) {
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

/**
 * The content of a message as plain text with links. A link sends no referrer, and nothing else in the text is interpreted.
 */
export function LinkedText({ content }: { content: string }) {
  return splitLinks(content).map(({ text, href }, index) =>
    href === null ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of a text have no other name and never move
      <Fragment key={index}>{text}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
        {text}
      </a>
    ),
  );
}
