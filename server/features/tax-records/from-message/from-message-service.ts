import { type AttachmentType, isPhoto } from '#shared/message-contents.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import type { ProofFromMessageBody } from '#shared/api/tax-records/verification.ts';
import { SENDS_MAX, SENDS_WINDOW_MS } from '#shared/limits.ts';
import { checkTexts, errorTexts } from '#shared/texts.ts';
import { errorCode } from '#server/files/atomic.ts';
import { AppError, conflict, notFound } from '#server/http/errors.ts';
import { createKeyedQueue, createRateLimit } from '#server/http/limits/rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { presentVerification } from '#server/records/verification-state.ts';
import { requireUnchanged } from '#server/http/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { OwnedRecord, RecordRow } from '../queries.ts';
import { createRecordEdits } from '../changes/record-edits.ts';
import { publishRecordChange } from '../changes/record-changes.ts';
import type { RecordScope } from '../changes/record-scopes.ts';
import { wasMatched } from '../changes/check-rules.ts';
import { proofFiledText, type StoreNotice } from '../changes/notices.ts';
import type { ImageChange, ImageFiles } from '#server/uploads/image-files.ts';

/** Number of filings of one record that may wait for each other. */
const WAITING_MAX = 10;

/** A file of a message that is still in its conversation. */
type SentFile = {
  /** The user of the conversation. */
  userId: string;
  messageId: number | null;
  /** Its name in the folder of uploads. */
  file: string;
  type: AttachmentType;
};

/** @returns null for what was never sent, or deleted with its history */
export type FindSentImage = (orm: ConnectionOrTransaction, attachmentId: string) => Promise<SentFile | null>;

/** Notes the name of the copy that became a proof, so that the photo says it from then on. */
export type StoreProofCopy = (tx: Transaction, attachmentId: string, proofFile: string) => Promise<void>;

export type FromMessageDeps = {
  proofs: ImageFiles;
  findSentImage: FindSentImage;
  storeProofCopy: StoreProofCopy;
  storeNotice: StoreNotice;
  /** Shared by users and admins, see `createFilingQueue`. */
  inTurn: ReturnType<typeof createFilingQueue>;
};

/** Filings of one record one after the other, so that the second of two clicks finds what the first did, on whichever side. */
export const createFilingQueue = () => createKeyedQueue(WAITING_MAX);

/** `publishNotice` is null when nothing was left to do. */
type Filed = OwnedRecord & { publishNotice: (() => Promise<void>) | null };

/** Files a photo of a conversation as the proof of one of its user's records (R-CHECK-10 to R-CHECK-12). */
export function createProofFromMessage<CreateBody>(
  context: ServiceContext,
  { proofs, findSentImage, storeProofCopy, storeNotice, inTurn }: FromMessageDeps,
  scope: RecordScope<CreateBody>,
) {
  const { orm, userWrites, write, publish, monotonicNow, rateLimits } = context;
  const { requireRecord, applyEdit } = createRecordEdits(context, scope);
  /** Each filing writes a notice, so it is limited like the messages of a person (R-CHAT-12). */
  const limit = createRateLimit(SENDS_MAX, SENDS_WINDOW_MS, monotonicNow);

  /** @throws 404 also for a photo of another conversation, so that ids cannot be tried out; 415 for a document of this one */
  async function requireImage(
    db: ConnectionOrTransaction,
    { owner }: OwnedRecord,
    attachmentId: string,
  ): Promise<SentFile> {
    const sent = await findSentImage(db, attachmentId);
    if (sent?.userId !== owner.id) throw notFound(checkTexts.photoMissing);
    if (!isPhoto(sent.type)) throw new AppError(415, errorTexts.proofNotImage);
    return sent;
  }

  /** The same photo again is a new report when the office did not accept the first one. */
  const isFiledAgain = (record: RecordRow): boolean =>
    scope.author === 'user' && ['rejected', 'outdated'].includes(presentVerification(record).state);

  async function file(currentUser: CurrentUser, id: string, body: ProofFromMessageBody): Promise<Filed> {
    const { attachment_id, updated_at, ...edit } = body;
    const found = await requireRecord(orm, currentUser, id);
    const { file: source } = await requireImage(orm, found, attachment_id);
    const current = isFiledAgain(found.record) ? null : found.record.proofFile;
    return proofs.keepCopy<Filed>({ source, current }, (copy) =>
      write(async (tx): Promise<ImageChange<Filed>> => {
        await scope.requireLive(tx, currentUser);
        const row = await requireRecord(tx, currentUser, id);
        const { messageId } = await requireImage(tx, row, attachment_id);
        // A form has stored another one meanwhile.
        if (row.record.proofFile !== found.record.proofFile) throw conflict(errorTexts.conflict);
        if (!copy && isAsWanted(row.record, edit)) {
          if (row.record.proofFile !== null) await storeProofCopy(tx, attachment_id, row.record.proofFile);
          return { value: { ...row, publishNotice: null }, removedImage: null };
        }
        requireUnchanged(row.record, updated_at);
        const changed = await applyEdit(tx, currentUser, row, edit, copy);
        const { record } = changed.value;
        if (record.proofFile !== null) await storeProofCopy(tx, attachment_id, record.proofFile);
        const publishNotice = await storeNotice(tx, {
          actor: currentUser,
          userId: record.userId,
          content: proofFiledText(record, {
            hasStatus: edit.status !== undefined,
            isMatched: wasMatched(row.record, record),
          }),
          recordId: id,
          replyTo: messageId,
        });
        return { ...changed, value: { ...changed.value, publishNotice } };
      }),
    );
  }

  return {
    /**
     * The proof is a copy: it stays when the history is deleted, and the photo stays when the proof is removed. The same
     * photo with the same status again changes nothing.
     * @throws 401, 403, 404, 409 when the record changed since `updated_at`, 415 for a WebP or a document, 422 as an edit, 429, 507
     */
    async file(currentUser: CurrentUser, id: string, body: ProofFromMessageBody): Promise<OwnedRecord> {
      if (rateLimits) {
        limit.check(currentUser.id);
        limit.count(currentUser.id);
      }
      userWrites.countChange(currentUser);
      const { publishNotice, ...row } = await inTurn(id, () => file(currentUser, id, body)).catch((error: unknown) => {
        // The history was deleted a moment ago.
        throw errorCode(error) === 'ENOENT' ? notFound(checkTexts.photoMissing) : error;
      });
      if (publishNotice) {
        publishRecordChange(publish, row.record, 'updated');
        await publishNotice();
      }
      return row;
    },
  };
}
export type ProofFromMessage = ReturnType<typeof createProofFromMessage>;

/** A filed proof counts only with the status and the date that were asked for. */
function isAsWanted(
  { status, paymentDate }: RecordRow,
  wanted: Pick<ProofFromMessageBody, 'status' | 'payment_date'>,
): boolean {
  if (wanted.status !== undefined && wanted.status !== status) return false;
  return wanted.payment_date === undefined || status !== 'lunas' || wanted.payment_date === paymentDate;
}
