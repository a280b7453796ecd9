import { v7 as newId } from 'uuid';
import { PROOF_FIELD } from '#shared/api/tax-records/tax-records.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { invalid } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/bodies/multipart-form.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { requireUnchanged } from '#server/http/row-version.ts';
import type { ImageFiles } from '#server/uploads/image-files.ts';
import * as queries from './queries.ts';
import type { OwnedRecord } from './queries.ts';
import { requireQuota } from './quota/quota.ts';
import { publishRecordChange, type RecordEdit, toNewRow } from './changes/record-changes.ts';
import { createRecordEdits } from './changes/record-edits.ts';
import type { RecordScope } from './changes/record-scopes.ts';
import { wasMatched } from './changes/check-rules.ts';
import { noticeOfMatch, type StoreNotice } from './changes/notices.ts';

/** Reads and changes single records, the own ones or all, as the scope says (R-PERM-4, R-REC-5 to R-REC-10). */
export function createRecordService<CreateBody>(
  context: ServiceContext,
  { proofs, storeNotice }: { proofs: ImageFiles; storeNotice: StoreNotice },
  scope: RecordScope<CreateBody>,
) {
  const { audit, orm, userWrites, write, now, quota } = context;
  const { requireRecord, applyEdit } = createRecordEdits(context, scope);

  /** Loads, authorises, changes and stores in one transaction; image files follow. */
  async function change(
    currentUser: CurrentUser,
    id: string,
    edit: RecordEdit,
    upload: FormFile | undefined,
  ): Promise<OwnedRecord> {
    userWrites.countChange(currentUser);
    const { changed, publishNotice } = await proofs.keep(upload, (stored) =>
      write(async (tx) => {
        await scope.requireLive(tx, currentUser);
        const found = await requireRecord(tx, currentUser, id);
        requireUnchanged(found.record, edit.updated_at);
        const { value, removedImage } = await applyEdit(tx, currentUser, found, edit, stored);
        const publish = wasMatched(found.record, value.record)
          ? await storeNotice(tx, noticeOfMatch(currentUser, value.record, found.record))
          : null;
        return { value: { changed: value, publishNotice: publish }, removedImage };
      }),
    );
    publishRecordChange(context.publish, changed.record, 'updated');
    await publishNotice?.();
    return changed;
  }

  return {
    /** @throws 404 when it is missing or outside the scope */
    requireRecord: async (currentUser: CurrentUser, id: string): Promise<OwnedRecord> =>
      requireRecord(orm, currentUser, id),

    /** @throws 401, 403, 422 as the scope; 422 beyond the owner's quota; 415, 507 as `ImageFiles.keep`; 429 */
    async create(currentUser: CurrentUser, body: CreateBody, upload: FormFile | undefined): Promise<OwnedRecord> {
      userWrites.countChange(currentUser);
      const created = await proofs.keep(upload, (proof) =>
        write(async (tx) => {
          await scope.requireLive(tx, currentUser);
          const { owner, body: newRecord } = await scope.prepareNew(tx, currentUser, body);
          const writing = { by: scope.author, byName: currentUser.name, nowMs: now() };
          const record = toNewRow({ id: newId(), userId: owner.id, proof }, newRecord, writing);
          await queries.insertRecord(tx, record);
          await requireQuota(tx, quota, { before: null, after: record, texts: scope.quotaTexts });
          await audit.recordCreated(tx, currentUser, record);
          return { value: { record, owner }, removedImage: null };
        }),
      );
      publishRecordChange(context.publish, created.record, 'created');
      return created;
    },

    /**
     * Fields that are undefined stay as they are.
     * @throws 404 when it is missing, 409 when it changed since `updated_at`, 401, 403, 422 as the scope, 415, 422, 429, 507 as `create`
     */
    update: change,

    /** @throws 422 without an image; else as `update` */
    async attachProof(currentUser: CurrentUser, id: string, upload: FormFile | undefined): Promise<OwnedRecord> {
      if (!upload) throw invalid(PROOF_FIELD, fieldTexts.proofRequired);
      return change(currentUser, id, {}, upload);
    },

    /** Copies for other years stay (R-REC-10). @throws 401, 403 as the scope, 404 when it is missing, 429, 507 */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      userWrites.countChange(currentUser);
      const { record } = await write(async (tx) => {
        await scope.requireLive(tx, currentUser);
        const found = await requireRecord(tx, currentUser, id);
        await queries.deleteRecord(tx, id);
        await audit.recordDeleted(tx, currentUser, found.record);
        return found;
      });
      publishRecordChange(context.publish, record, 'deleted');
      if (record.proofFile) await proofs.discard(record.proofFile);
    },
  };
}
export type RecordService<CreateBody> = ReturnType<typeof createRecordService<CreateBody>>;
