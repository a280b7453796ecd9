import { hasEmail } from '#shared/domain/users/no-email.ts';
import type { Attachment } from '#shared/api/chat/chat.ts';
import type { Claim, OwnClaim } from '#shared/api/dhkp/claims.ts';
import { formatNop } from '#shared/domain/dhkp/nop.ts';
import { claimTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { presentIds, presentTimes } from '#server/http/answers/present.ts';
import { notFound } from '#server/http/errors.ts';
import type { CreateLink } from '#server/uploads/upload-links.ts';
import { presentListed } from '../list/list-answers.ts';
import { listByIds } from '../list/list-queries.ts';
import { type ClaimRow, type ClaimWithUser, findClaim, listListedIds } from '../claim-queries.ts';

/** Reads files of conversations by their ids; those that were deleted are left out. */
export type ReadSentFiles = (ids: readonly string[], linkFor: CreateLink) => Promise<Map<string, Attachment>>;

export function presentOwnClaim(claim: ClaimRow): OwnClaim {
  const { id, nop, state, reason } = claim;
  return { ...presentIds(id), nop, state, reason, ...presentTimes(claim) };
}

/** Claims as admins see them: with the listed assessments of each NOP, and the file that came with it. */
export async function presentClaims(
  orm: ConnectionOrTransaction,
  rows: readonly ClaimWithUser[],
  readSentFiles: ReadSentFiles,
  linkFor: CreateLink,
): Promise<Claim[]> {
  const ids = await listListedIds(orm, [...new Set(rows.map(({ claim }) => claim.nop))]);
  const listed = await presentListed(orm, await listByIds(orm, ids));
  const byNop = Map.groupBy(listed, ({ nop }) => nop);
  const files = await readSentFiles(
    rows.flatMap(({ claim }) => claim.attachmentId ?? []),
    linkFor,
  );
  return rows.map(({ claim, user }) => ({
    ...presentIds(claim.id),
    nop: claim.nop,
    nop_text: formatNop(claim.nop),
    user: { ...user, has_email: hasEmail(user.email) },
    note: claim.note,
    attachment: claim.attachmentId === null ? null : (files.get(claim.attachmentId) ?? null),
    state: claim.state,
    reason: claim.reason,
    answered_by: claim.answeredBy,
    ...presentTimes(claim),
    assessments: (byNop.get(claim.nop) ?? []).toSorted((a, b) => b.year - a.year),
  }));
}

/** @throws 404 */
export async function presentClaim(
  orm: ConnectionOrTransaction,
  id: string,
  readSentFiles: ReadSentFiles,
  linkFor: CreateLink,
): Promise<Claim> {
  const found = await findClaim(orm, id);
  const [presented] = found ? await presentClaims(orm, [found], readSentFiles, linkFor) : [];
  if (!presented) throw notFound(claimTexts.missing);
  return presented;
}
