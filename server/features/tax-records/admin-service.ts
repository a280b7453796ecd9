import { v7 as newId } from 'uuid';
import type { AdminCreateRecordBody, AdminRecordsQuery, AdminUpdateRecordBody } from '#shared/api/tax-records.ts';
import { todayIn, yearOf } from '#shared/domain/dates.ts';
import { ADMIN_RECORDS_DEFAULT, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { invalid, notFound } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/multipart-form.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { requireUnchanged } from '#server/row-version.ts';
import { PROOF_FIELD } from './form-shape.ts';
import type { ProofFiles } from './proofs/proof-files.ts';
import * as queries from './queries.ts';
import type { OwnedRecord, RecordRow } from './queries.ts';
import { toNewRow, findRemovedProof, mergeEdit, type RecordEdit, publishRecordChange } from './record-changes.ts';

/** Everybody's records, for administrators (specification 2.4 and 5, contract 4). */
export function createAdminRecordService(context: ServiceContext, proofs: ProofFiles) {
  const { audit, policy, orm, write, queryWorker, now, timeZone } = context;

  function requireAnyRecord(db: ConnectionOrTransaction, id: string): OwnedRecord {
    const found = queries.findRecord(db, id);
    if (!found) throw notFound(errorTexts.adminRecordMissing);
    return found;
  }

  /** Load, authorize, change and store, in one transaction; the images follow. */
  async function change(
    currentUser: CurrentUser,
    id: string,
    edit: RecordEdit,
    upload: FormFile | undefined,
  ): Promise<OwnedRecord> {
    const changed = await proofs.keep(upload, (stored) =>
      write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const found = requireAnyRecord(tx, id);
        requireUnchanged(found.record, edit.updated_at);
        const record = mergeEdit(found.record, edit, stored, now());
        requirePaymentDate(record, edit);
        queries.updateRecord(tx, record);
        audit.recordChanged(tx, currentUser, found.record, record);
        return { value: { ...found, record }, removedProof: findRemovedProof(found.record, record) };
      }),
    );
    publishRecordChange(context.publish, changed.record, 'updated');
    return changed;
  }

  return {
    /** Runs in the reading worker: a search reads every record. @returns the answer's bytes, JSON */
    async list(
      { sessionId }: CurrentUser,
      { limit = ADMIN_RECORDS_DEFAULT, page = 1, ...filters }: AdminRecordsQuery,
    ): Promise<Buffer> {
      const query = { ...filters, limit, offset: (page - 1) * limit };
      const currentUser = { sessionId, secret: context.secret, nowMs: now() };
      const bytes = await queryWorker.run('adminRecords', { query, page, linkSigning: currentUser });
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },

    /** @throws 404 when it is missing */
    requireRecord: (id: string): OwnedRecord => requireAnyRecord(orm, id),

    /**
     * The year defaults to the office's current one.
     * @throws 422 when the owner does not exist or the default year is outside 2020 to 2030; 415, 507 as `ProofFiles.keep`
     */
    async create(
      currentUser: CurrentUser,
      body: AdminCreateRecordBody,
      upload: FormFile | undefined,
    ): Promise<OwnedRecord> {
      const created = await proofs.keep(upload, (proofFile) =>
        write((tx) => {
          policy.requireLiveAdmin(currentUser);
          const owner = queries.findOwner(tx, body.user_id);
          if (!owner) throw invalid('user_id', fieldTexts.pickUser);
          const year = body.year ?? yearOf(todayIn(timeZone, now()));
          if (year < YEAR_MIN || year > YEAR_MAX) throw invalid('year', fieldTexts.yearRange);
          const record = toNewRow({ id: newId(), userId: owner.id, proofFile }, { ...body, year }, now());
          queries.insertRecord(tx, record);
          audit.recordCreated(tx, currentUser, record);
          return { value: { record, owner }, removedProof: null };
        }),
      );
      publishRecordChange(context.publish, created.record, 'created');
      return created;
    },

    /**
     * Fields that are undefined stay as they are.
     * @throws 404 when it is missing, 409 when it changed since `updated_at`, 422 when it would be `lunas` without a
     * payment date, 415, 507
     */
    async update(
      currentUser: CurrentUser,
      id: string,
      edit: AdminUpdateRecordBody,
      upload: FormFile | undefined,
    ): Promise<OwnedRecord> {
      return change(currentUser, id, edit, upload);
    },

    /** @throws 422 without an image, 404, 415, 507 as `update` */
    async attachProof(currentUser: CurrentUser, id: string, upload: FormFile | undefined): Promise<OwnedRecord> {
      if (!upload) throw invalid(PROOF_FIELD, fieldTexts.proofRequired);
      return change(currentUser, id, {}, upload);
    },

    /** @throws 404 when it is missing */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const { record } = await write((tx) => {
        policy.requireLiveAdmin(currentUser);
        const found = requireAnyRecord(tx, id);
        queries.deleteRecord(tx, id);
        audit.recordDeleted(tx, currentUser, found.record);
        return found;
      });
      publishRecordChange(context.publish, record, 'deleted');
      if (record.proofFile) await proofs.discardAll([record.proofFile]);
    },
  };
}
export type AdminRecordService = ReturnType<typeof createAdminRecordService>;

/**
 * Judged on the record as it would become, and only by an edit that touches the two: one that a resident marked as paid
 * without a date can still have its address mended (specification 5, contract 4).
 */
function requirePaymentDate(record: RecordRow, edit: RecordEdit): void {
  const touched = edit.status !== undefined || edit.payment_date !== undefined;
  if (touched && record.status === 'lunas' && record.paymentDate === null) {
    throw invalid('payment_date', fieldTexts.paymentDateRequired);
  }
}
