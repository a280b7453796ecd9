import { v7 as newId } from 'uuid';
import type { CreateRecordBody, UpdateRecordBody } from '#shared/api/tax-records.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { TAX_TYPE } from '#shared/domain/tax-record-fields.ts';
import { OWN_RECORDS_DEFAULT, USER_RECORD_YEAR } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction } from '#server/db/open.ts';
import { invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/multipart-form.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { requireUnchanged } from '#server/row-version.ts';
import { PROOF_FIELD } from './form-shape.ts';
import * as lists from './list-queries.ts';
import type { ProofFiles } from './proofs/proof-files.ts';
import * as queries from './queries.ts';
import type { OwnedRecord } from './queries.ts';
import { toNewRow, findRemovedProof, mergeEdit, type RecordEdit, publishRecordChange } from './record-changes.ts';

/** Both counted from 1; absent means the whole first page. */
export type Paging = { limit?: number | undefined; page?: number | undefined };
export type RecordPage = lists.RecordSlice & { perPage: number; page: number };

/** A resident's own records (specification 2.3 and 5, contract 4). Administrators may have some of their own too. */
export function createRecordService(context: ServiceContext, proofs: ProofFiles) {
  const { audit, policy, orm, write, now, timeZone } = context;

  function requireOwnRecord(db: ConnectionOrTransaction, currentUser: CurrentUser, id: string): OwnedRecord {
    const found = queries.findRecord(db, id);
    // Somebody else's is told as missing, so that ids cannot be tried out.
    if (found?.record.userId !== currentUser.id) throw notFound(errorTexts.recordMissing);
    return found;
  }

  function readPage(
    { limit, page = 1 }: Paging,
    read: (limitOffset: lists.LimitOffset) => lists.RecordSlice,
  ): RecordPage {
    const perPage = limit ?? OWN_RECORDS_DEFAULT;
    return { ...read({ limit: perPage, offset: (page - 1) * perPage }), perPage, page };
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
        policy.requireLiveSession(currentUser);
        const found = requireOwnRecord(tx, currentUser, id);
        requireUnchanged(found.record, edit.updated_at);
        const record = mergeEdit(found.record, edit, stored, now());
        queries.updateRecord(tx, record);
        audit.recordChanged(tx, currentUser, found.record, record);
        return { value: { ...found, record }, removedProof: findRemovedProof(found.record, record) };
      }),
    );
    publishRecordChange(context.publish, changed.record, 'updated');
    return changed;
  }

  return {
    list: (currentUser: CurrentUser, paging: Paging): RecordPage =>
      readPage(paging, (limitOffset) => lists.listOwn(orm, currentUser.id, limitOffset)),

    /** Arrears by the office's calendar (shared/domain/arrears.ts). */
    listOutstanding: (currentUser: CurrentUser, paging: Paging): RecordPage =>
      readPage(paging, (limitOffset) =>
        lists.listOwnOverdue(orm, currentUser.id, todayIn(timeZone, now()), limitOffset),
      ),

    /** @throws 422 when `year` is no whole number */
    listOfYear(currentUser: CurrentUser, year: string, paging: Paging): RecordPage {
      if (!/^\d{1,9}$/.test(year)) throw invalid('year', fieldTexts.yearRange);
      return readPage(paging, (limitOffset) => lists.listOwnOfYear(orm, currentUser.id, Number(year), limitOffset));
    },

    /** @throws 404 when it is missing or somebody else's */
    requireRecord: (currentUser: CurrentUser, id: string): OwnedRecord => requireOwnRecord(orm, currentUser, id),

    /** Year and tax type are fixed whatever was sent (specification 5). @throws 415, 507 as `ProofFiles.keep` */
    async create(currentUser: CurrentUser, body: CreateRecordBody, upload: FormFile | undefined): Promise<OwnedRecord> {
      const created = await proofs.keep(upload, (proofFile) =>
        write((tx) => {
          policy.requireLiveSession(currentUser);
          const owner = queries.findOwner(tx, currentUser.id);
          if (!owner) throw sessionEnded();
          const newRecord = { ...body, year: USER_RECORD_YEAR, tax_type: TAX_TYPE } as const;
          const record = toNewRow({ id: newId(), userId: owner.id, proofFile }, newRecord, now());
          queries.insertRecord(tx, record);
          audit.recordCreated(tx, currentUser, record);
          return { value: { record, owner }, removedProof: null };
        }),
      );
      publishRecordChange(context.publish, created.record, 'created');
      return created;
    },

    /**
     * Fields that are undefined stay; year and tax type always do.
     * @throws 404 when it is missing or somebody else's, 409 when it changed since `updated_at`, 415, 507
     */
    async update(
      currentUser: CurrentUser,
      id: string,
      edit: UpdateRecordBody,
      upload: FormFile | undefined,
    ): Promise<OwnedRecord> {
      return change(currentUser, id, edit, upload);
    },

    /** @throws 422 without an image, 404, 415, 507 as `update` */
    async attachProof(currentUser: CurrentUser, id: string, upload: FormFile | undefined): Promise<OwnedRecord> {
      if (!upload) throw invalid(PROOF_FIELD, fieldTexts.proofRequired);
      return change(currentUser, id, {}, upload);
    },

    /** Its copies of other years stay (contract 4). @throws 404 when it is missing or somebody else's */
    async remove(currentUser: CurrentUser, id: string): Promise<void> {
      const { record } = await write((tx) => {
        policy.requireLiveSession(currentUser);
        const found = requireOwnRecord(tx, currentUser, id);
        queries.deleteRecord(tx, id);
        audit.recordDeleted(tx, currentUser, found.record);
        return found;
      });
      publishRecordChange(context.publish, record, 'deleted');
      if (record.proofFile) await proofs.discardAll([record.proofFile]);
    },
  };
}
export type RecordService = ReturnType<typeof createRecordService>;
