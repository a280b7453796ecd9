import { hasEmail } from '#shared/domain/users/no-email.ts';
import { transcriptAnswer } from '#shared/api/chat/inbox.ts';
import { TRANSCRIPT_CHARACTERS_MAX, TRANSCRIPT_MESSAGES_MAX } from '#shared/limits.ts';
import { type Connection, readSnapshot } from '#server/db/engine.ts';
import { type EncodedAnswer, encodeAnswer } from '#server/http/answers/encoded-answer.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { findUserById } from '#server/accounts/user-queries.ts';
import { createLinkForSession, type LinkSigningForSession } from '#server/uploads/upload-links.ts';
import { readMessageParts } from '../message-parts.ts';
import { presentMessages } from '../present.ts';
import { findConversation } from '../queries.ts';
import { readTranscript, type TranscriptRange } from './transcript-queries.ts';

const MAX = { messages: TRANSCRIPT_MESSAGES_MAX, characters: TRANSCRIPT_CHARACTERS_MAX };

type TranscriptRequest = {
  userId: string;
  range: TranscriptRange;
  linkSigning: LinkSigningForSession;
  acceptsGzip: boolean;
};

/** The whole answer with a transcript; the query worker makes it. @returns null when the conversation is gone */
export async function encodeTranscriptAnswer(
  orm: Connection,
  { userId, range, linkSigning, acceptsGzip }: TranscriptRequest,
): Promise<EncodedAnswer | null> {
  const found = await readSnapshot(orm, async (tx) => {
    const row = await findConversation(tx, userId);
    const user = await findUserById(tx, userId);
    if (!row || !user) return null;
    const read = await readTranscript(tx, row, range, MAX);
    return { user, ...read, parts: await readMessageParts(tx, read.rows) };
  });
  if (!found) return null;
  const { user, rows, parts, omitted } = found;
  const transcript = {
    user: { id: user.id, name: user.name, email: user.email, has_email: hasEmail(user.email) },
    messages: presentMessages(rows, parts, createLinkForSession(linkSigning)),
    omitted,
  };
  return encodeAnswer(transcriptAnswer, presentSingle('Transkrip percakapan', transcript), acceptsGzip);
}
