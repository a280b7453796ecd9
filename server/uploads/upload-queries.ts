import { and, eq, isNotNull, sum } from 'drizzle-orm';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import { attachments, dhkpBatches, taxRecords } from '#server/db/schema.ts';
import { findOfficeIdentity } from '#server/office/office-queries.ts';

/** Names of all files that the database refers to: proofs, files of messages with their small images, lists, and the logo. */
export async function listUploadNames(orm: ConnectionOrTransaction): Promise<string[]> {
  const proofs = await orm
    .select({ file: taxRecords.proofFile })
    .from(taxRecords)
    .where(isNotNull(taxRecords.proofFile))
    .all();
  const sent = await orm.select({ file: attachments.file, thumbFile: attachments.thumbFile }).from(attachments).all();
  const lists = await orm.select({ file: dhkpBatches.file }).from(dhkpBatches).where(isNotNull(dhkpBatches.file)).all();
  return [
    ...proofs.flatMap(({ file }) => file ?? []),
    ...[(await findOfficeIdentity(orm))?.logoFile ?? []].flat(),
    ...lists.flatMap(({ file }) => file ?? []),
    ...sent.flatMap(({ file, thumbFile }) => (thumbFile === null ? [file] : [file, thumbFile])),
  ];
}

/**
 * The bytes of the images and files that count for an account's quota: the proofs of its records, whoever uploaded them, and
 * what the account itself uploaded for messages as a user. Read from indexes alone.
 */
export async function readUploadBytes(orm: ConnectionOrTransaction, userId: string): Promise<number> {
  const proofs = await orm
    .select({ bytes: sum(taxRecords.proofBytes).mapWith(Number) })
    .from(taxRecords)
    .where(and(eq(taxRecords.userId, userId), isNotNull(taxRecords.proofBytes)))
    .get();
  const files = await orm
    .select({
      bytes: sum(attachments.bytes).mapWith(Number),
      thumbBytes: sum(attachments.thumbBytes).mapWith(Number),
    })
    .from(attachments)
    .where(and(eq(attachments.uploaderId, userId), eq(attachments.fromAdmin, false)))
    .get();
  return (proofs?.bytes ?? 0) + (files?.bytes ?? 0) + (files?.thumbBytes ?? 0);
}
