import { messageSearchAnswer } from '#shared/api/inbox.ts';
import type { Connection } from '#server/db/open.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/encoded-answer.ts';
import { presentSingle } from '#server/http/present.ts';
import { createLinkForSession, type LinkSigningForSession } from '#server/uploads/upload-links.ts';
import { presentMessages } from '../present.ts';
import { type MessageSearch, searchMessages } from './search.ts';
import { cutSnippet } from './snippet.ts';

/** The whole answer with a page of found messages; the query worker makes it. */
export function encodeMessageSearchAnswer(
  orm: Connection,
  { acceptsGzip, linkSigning, ...search }: MessageSearch & { linkSigning: LinkSigningForSession; acceptsGzip: boolean },
): EncodedAnswer {
  const { found, parts, hasMore, indexedPercent } = searchMessages(orm, search);
  const messages = presentMessages(
    found.map(({ row }) => row),
    parts,
    createLinkForSession(linkSigning),
  );
  const data = found.map(({ row, person: { id, name }, marks: inText }, index) => {
    const { snippet, marks } = cutSnippet(row.content, inText);
    return { message: messages[index], user: { id, name }, snippet, marks };
  });
  const answer = presentSingle('Hasil pencarian pesan', { data, has_more: hasMore, indexed_percent: indexedPercent });
  return encodeAnswer(messageSearchAnswer, answer, acceptsGzip);
}
