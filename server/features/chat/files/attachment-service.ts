import type { ServiceContext } from '#server/service-context.ts';
import type { Quota } from '#server/settings.ts';
import type { FindUpload } from '#server/uploads/upload-routes.ts';
import { findByFile, type AttachmentRow, type DeletedFiles } from './attachment-queries.ts';
import { v7 as newId } from 'uuid';
import { ATTACHMENT_FIELDS } from '#shared/api/chat/chat.ts';
import { THUMB_MAX_BYTES, UNSENT_ATTACHMENT_MS, UNSENT_ATTACHMENTS_MAX } from '#shared/limits.ts';
import type { AttachmentType } from '#shared/message-contents.ts';
import { errorTexts, fieldTexts, inboxTexts, quotaTexts } from '#shared/texts.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { AppError, invalid, notFound } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { cleanImage } from '#server/images/clean-image.ts';
import type { StoredUpload, UploadFiles } from '#server/uploads/upload-files.ts';
import { UPLOAD_TYPES, type AttachmentExtension } from '#server/uploads/upload-names.ts';
import { readUploadBytes } from '#server/uploads/upload-queries.ts';
import { cleanFileName } from './attachment-names.ts';
import * as queries from './attachment-queries.ts';

const PDF_START = '%PDF-';
/** A list shows dozens of small images at once, and each is decoded whole. */
const THUMB_PIXELS_MAX = 1_000_000;

export type SentFile = { file: FormFile | undefined; thumb: FormFile | undefined; clientId: string | null };
/** The type of an upload by its bytes, and the bytes that are stored. */
type JudgedFile = { extension: AttachmentExtension; bytes: Buffer; width: number | null; height: number | null };
type StoredFile = {
  main: StoredUpload;
  thumb: StoredUpload | null;
  judged: Omit<JudgedFile, 'bytes'>;
};

/** Judges by the bytes alone. @throws 415 */
function judgeFile(bytes: Buffer): JudgedFile {
  if (bytes.toString('latin1', 0, PDF_START.length) === PDF_START) {
    return { extension: 'pdf', bytes, width: null, height: null };
  }
  const image = cleanImage(bytes);
  if (typeof image === 'string') throw new AppError(415, errorTexts.attachmentType);
  return image;
}

/** @returns null for what is no small image: it is left out, and clients show the file itself */
function judgeThumb(bytes: Buffer): JudgedFile | null {
  const image = bytes.length > THUMB_MAX_BYTES ? 'unreadable' : cleanImage(bytes);
  if (typeof image === 'string' || image.width * image.height > THUMB_PIXELS_MAX) return null;
  return image;
}

/** @throws 422 when too many wait to be sent, or a user has no room left */
async function requireRoom(tx: Transaction, quota: Quota, { id, isAdmin }: CurrentUser): Promise<void> {
  if ((await queries.countUnsent(tx, id)) > UNSENT_ATTACHMENTS_MAX) {
    throw invalid(ATTACHMENT_FIELDS.file, fieldTexts.unsentTooMany(UNSENT_ATTACHMENTS_MAX));
  }
  if (isAdmin || quota.proofBytes === null) return;
  if ((await readUploadBytes(tx, id)) > quota.proofBytes) {
    throw invalid(ATTACHMENT_FIELDS.file, quotaTexts.own.proofs(quota.proofBytes));
  }
}

function toRow(
  currentUser: CurrentUser,
  { main, thumb, judged }: StoredFile,
  { name, clientId, createdAt }: { name: string; clientId: string | null; createdAt: number },
): AttachmentRow {
  const type: AttachmentType = UPLOAD_TYPES[judged.extension];
  return {
    id: newId(),
    uploaderId: currentUser.id,
    fromAdmin: currentUser.isAdmin,
    userId: null,
    messageId: null,
    position: 0,
    name: cleanFileName(name, judged.extension),
    file: main.name,
    thumbFile: thumb?.name ?? null,
    type,
    bytes: main.bytes,
    thumbBytes: thumb?.bytes ?? 0,
    width: judged.width,
    height: judged.height,
    proofFile: null,
    clientId,
    createdAt,
  };
}

/** The files of messages, from the upload to the deletion (R-FILE-1 to R-FILE-12). */
export function createAttachmentService(context: ServiceContext, uploads: UploadFiles) {
  const { orm, write, policy, quota, earliestNow, latestNow } = context;

  async function store({ file, thumb }: { file: FormFile; thumb: FormFile | undefined }): Promise<StoredFile> {
    const { bytes, ...judged } = judgeFile(await uploads.read(file.path));
    const small = thumb && judged.extension !== 'pdf' ? judgeThumb(await uploads.read(thumb.path)) : null;
    const main = await uploads.write(judged.extension, bytes);
    try {
      return { main, judged, thumb: small && (await uploads.write(small.extension, small.bytes)) };
    } catch (error) {
      await uploads.discard(main.name);
      throw error;
    }
  }

  const discard = ({ main, thumb }: StoredFile): Promise<void> =>
    uploads.discardAll(thumb ? [main.name, thumb.name] : [main.name]);

  /** Deletes rows in steps, and their files after each commit. @returns whether any was deleted */
  async function deleteAll(
    step: (tx: Transaction) => Promise<DeletedFiles>,
    mayContinue: () => boolean,
  ): Promise<boolean> {
    let hasDeleted = false;
    for (let isLast = false; !isLast && mayContinue();) {
      const deleted = await write(step);
      await uploads.discardAll(deleted.files);
      if (deleted.files.length > 0) hasDeleted = true;
      isLast = deleted.isLast;
    }
    return hasDeleted;
  }

  return {
    /**
     * Stores an upload that a message may carry later. The same uploader and `clientId` again get the first one.
     * @throws 401, 403, 415, 422 without a file, beyond the number of unsent ones and beyond the quota, 507
     */
    async upload(
      currentUser: CurrentUser,
      { file, thumb, clientId }: SentFile,
    ): Promise<{ row: AttachmentRow; isNew: boolean }> {
      const findFirst = async (tx: ConnectionOrTransaction): Promise<AttachmentRow | undefined> =>
        clientId === null ? undefined : queries.findUploaded(tx, currentUser.id, clientId);
      const first = await findFirst(orm);
      if (first) {
        await policy.requireLiveSession(orm, currentUser);
        return { row: first, isNew: false };
      }
      if (!file) throw invalid(ATTACHMENT_FIELDS.file, fieldTexts.fileRequired);
      const stored = await uploads.inTurn(() => store({ file, thumb }));
      let result: { row: AttachmentRow; isNew: boolean };
      try {
        result = await write(async (tx) => {
          await policy.requireLiveSession(tx, currentUser);
          // Asked again: the same upload may have arrived twice at the same moment.
          const before = await findFirst(tx);
          if (before) return { row: before, isNew: false };
          // Only the sweep reads the time: a clock that is set back for a moment must not make the file old.
          const row = toRow(currentUser, stored, { name: file.name, clientId, createdAt: latestNow() });
          await queries.insertAttachment(tx, row);
          await requireRoom(tx, quota, currentUser);
          return { row, isNew: true };
        });
      } catch (error) {
        await discard(stored);
        throw error;
      }
      if (!result.isNew) await discard(stored);
      return result;
    },

    /**
     * Removes an own file that no message carries, which makes room for others.
     * @throws 401, 403, 404 also for a file of somebody else or in a message
     */
    async removeUnsent(currentUser: CurrentUser, id: string): Promise<void> {
      const files = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const deleted = await queries.deleteUnsent(tx, currentUser, id);
        if (!deleted) throw notFound(inboxTexts.unsentMissing);
        return deleted;
      });
      await uploads.discardAll(files);
    },

    /** Removes the files of a deleted history; the caller erases what is left of their names. */
    async removeCleared(userId: string, mayContinue: () => boolean): Promise<void> {
      await deleteAll((tx) => queries.deleteClearedBatch(tx, userId), mayContinue);
    },

    /** Finishes what a crash interrupted, and removes what nobody sent. @param mayContinue asked before each step */
    async sweep(mayContinue: () => boolean): Promise<void> {
      let hasDeleted = false;
      for (const userId of await queries.listUnfinishedClears(orm)) {
        hasDeleted = (await deleteAll((tx) => queries.deleteClearedBatch(tx, userId), mayContinue)) || hasDeleted;
      }
      // A clock that is wrong for a moment must remove nothing, and what it dated must not stay for ever.
      const age = {
        olderThan: earliestNow() - UNSENT_ATTACHMENT_MS,
        laterThan: latestNow() + UNSENT_ATTACHMENT_MS,
      };
      hasDeleted = (await deleteAll((tx) => queries.deleteUnsentBatch(tx, age), mayContinue)) || hasDeleted;
      if (hasDeleted && mayContinue()) await context.eraseDeleted();
    },
  };
}
export type AttachmentService = ReturnType<typeof createAttachmentService>;

/**
 * The files of messages among the uploads (R-FILE-9). What was not sent is for its uploader alone. What was sent is for the
 * user of the conversation and for admins, until the history or the account is deleted, or the account is an admin's: such
 * an account has no conversation.
 */
export function createAttachmentSource({ orm }: Pick<ServiceContext, 'orm'>): FindUpload {
  return async (file) => {
    const found = await findByFile(orm, file);
    if (!found) return null;
    const { uploaderId, messageId, userId, clearedId, isAdmin } = found;
    const isInConversation = messageId !== null && clearedId !== null && messageId > clearedId && isAdmin === false;
    return {
      mayOpen: (user) =>
        messageId === null ? user.id === uploaderId : isInConversation && (user.isAdmin || user.id === userId),
      // The small image is never saved by its name.
      name: found.file === file ? found.name : null,
    };
  };
}
