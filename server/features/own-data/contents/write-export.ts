import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '#server/db/engine.ts';
import { findUserById, type UserRow } from '#server/accounts/user-queries.ts';
import { findOfficeName } from '#server/office/office-queries.ts';
import { type CopiedFile, readConversation } from './conversation.ts';
import { writeDataJson } from './data-json.ts';
import { attachmentName, proofName } from './file-names.ts';
import { countMessages, readAttachments, readRecords } from './own-data-queries.ts';
import { writeReadMe } from './read-me.ts';
import { writeRecordsPage } from './records-page.ts';
import { writeTranscriptPage } from './transcript-page.ts';
import { createZipWriter, type ZipWriter } from './zip-writer.ts';

export type ExportPlan = {
  userId: string;
  /** The folder of uploads, and the file to write. */
  proofsDir: string;
  path: string;
  /** The size of the images and documents, as the basis of the percentage. */
  fileBytes: number;
  nowMs: number;
  timeZone: string;
};

/** A message in the page and in data.json, in bytes; roughly, for the percentage. */
const MESSAGE_BYTES = 1000;

type Report = (bytes: number) => void;

/** Shows the next percentage only when it is another one. 100 is for the end. */
function createReport(totalBytes: number, onPercent: (percent: number) => void): Report {
  let done = 0;
  let shown = 0;
  return (bytes) => {
    done += bytes;
    const percent = Math.min(99, Math.floor((done / Math.max(1, totalBytes)) * 100));
    if (percent > shown) onPercent(percent);
    shown = Math.max(shown, percent);
  };
}

async function copyProofs(orm: Connection, zip: ZipWriter, { userId, proofsDir }: ExportPlan, report: Report) {
  const proofs = new Map<string, string>();
  let records = 0;
  let missing = 0;
  for await (const record of readRecords(orm, userId)) {
    records += 1;
    if (record.proofFile === null) continue;
    const name = proofName(record, record.proofFile, records);
    if (await zip.addFile(name, join(proofsDir, record.proofFile), record.updatedAt)) proofs.set(record.id, name);
    else missing += 1;
    report(record.proofBytes ?? 0);
  }
  return { proofs, records, missing };
}

async function copyAttachments(orm: Connection, zip: ZipWriter, plan: ExportPlan, report: Report) {
  const files = new Map<number, CopiedFile[]>();
  let missing = 0;
  let copied = 0;
  for await (const row of readAttachments(orm, plan.userId)) {
    const path = attachmentName(row, plan.timeZone);
    const isThere = await zip.addFile(path, join(plan.proofsDir, row.file), row.createdAt);
    if (isThere) copied += 1;
    else missing += 1;
    const ofMessage = files.get(Number(row.messageId)) ?? [];
    ofMessage.push({ name: row.name, path: isThere ? path : null, type: row.type });
    files.set(Number(row.messageId), ofMessage);
    report(row.bytes);
  }
  return { files, copied, missing };
}

/** Counts the pieces of a text as progress. */
async function* counted(pieces: AsyncIterable<string>, report: Report): AsyncGenerator<string> {
  for await (const piece of pieces) {
    report(piece.length);
    yield piece;
  }
}

async function writeParts(orm: Connection, zip: ZipWriter, user: UserRow, plan: ExportPlan, report: Report) {
  const { nowMs, timeZone } = plan;
  const proofs = await copyProofs(orm, zip, plan, report);
  const attached = await copyAttachments(orm, zip, plan, report);
  const about = { name: user.name, officeName: await findOfficeName(orm), nowMs, timeZone };
  const copied = { files: attached.files, proofs: proofs.proofs };
  const messages = readConversation(orm, user.id, attached.files);
  await zip.addText('percakapan.html', counted(writeTranscriptPage(messages, about), report));
  const records = readRecords(orm, user.id);
  await zip.addText('data-pbb.html', counted(writeRecordsPage(records, proofs.proofs, about), report));
  await zip.addText('data.json', counted(writeDataJson(orm, user, copied, nowMs), report));
  const counts = {
    records: proofs.records,
    messages: await countMessages(orm, user.id),
    files: proofs.proofs.size + attached.copied,
    missing: proofs.missing + attached.missing,
  };
  await zip.addText('BACA SAYA.txt', [writeReadMe({ ...about, isAdmin: user.isAdmin, counts })]);
}

/**
 * Writes the copy of one account's own data (R-ACCESS-78). Its cost grows with the account, so it belongs into a thread.
 * @returns the size of the file; after an error there is none
 */
export async function writeExport(
  orm: Connection,
  plan: ExportPlan,
  onPercent: (percent: number) => void,
): Promise<number> {
  const user = await findUserById(orm, plan.userId);
  if (!user) throw new Error('the account is gone');
  const total = plan.fileBytes + 2 * MESSAGE_BYTES * (await countMessages(orm, plan.userId));
  const zip = createZipWriter(plan.path, plan.nowMs);
  try {
    await writeParts(orm, zip, user, plan, createReport(total, onPercent));
    return await zip.finish();
  } catch (error) {
    await zip.abort();
    await rm(plan.path, { force: true });
    throw error;
  }
}
