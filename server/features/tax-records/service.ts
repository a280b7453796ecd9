import { v7 as newId } from 'uuid';
import { TAX_TYPE, type CreateRecordBody, type UpdateRecordBody } from '#shared/api/tax-records.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { OWN_RECORDS_DEFAULT, USER_RECORD_YEAR } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { Context } from '#server/context.ts';
import type { Orm } from '#server/db/open.ts';
import { invalid, notFound, sessionEnded } from '#server/http/errors.ts';
import type { FormFile } from '#server/http/form.ts';
import type { Viewer } from '#server/http/session.ts';
import { PROOF_FIELD } from './form-shape.ts';
import * as lists from './list-queries.ts';
import type { ProofFiles } from './proofs/proof-files.ts';
import * as queries from './queries.ts';
import type { OwnedRecord } from './queries.ts';
import {
  buildRow,
  droppedProof,
  mergeEdit,
  type RecordEdit,
  requireActor,
  requireUnchanged,
  tellChange,
} from './record-changes.ts';

/** Both counted from 1; absent means the whole first page. */
export type Paging = { limit?: number | undefined; page?: number | undefined };
export type RecordPage = lists.RecordSlice & { perPage: number; page: number };

/** A resident's own records (specification 2.3 and 5, contract 4). Administrators may have some of their own too. */
export function createRecordService(context: Context, proofs: ProofFiles) {
  const { audit, orm, commit, now, timeZone } = context;

  function requireOwn(tx: Orm, viewer: Viewer, id: string): OwnedRecord {
    const found = queries.findRecord(tx, id);
    // Somebody else's is told as missing, so that ids cannot be tried out.
    if (found?.record.userId !== viewer.id) throw notFound(errorTexts.recordMissing);
    return found;
  }

  function pageOf({ limit, page = 1 }: Paging, read: (window: lists.Window) => lists.RecordSlice): RecordPage {
    const perPage = limit ?? OWN_RECORDS_DEFAULT;
    return { ...read({ limit: perPage, offset: (page - 1) * perPage }), perPage, page };
  }

  /** Load, authorize, change and store, in one transaction; the images follow. */
  async function change(
    viewer: Viewer,
    id: string,
    edit: RecordEdit,
    upload: FormFile | undefined,
  ): Promise<OwnedRecord> {
    const changed = await proofs.keep(upload, (stored) =>
      commit((tx) => {
        requireActor(tx, viewer, 'user');
        const found = requireOwn(tx, viewer, id);
        requireUnchanged(found.record, edit.updated_at);
        const record = mergeEdit(found.record, edit, stored, now());
        queries.updateRecord(tx, record);
        audit.recordChanged(tx, viewer, found.record, record);
        return { value: { ...found, record }, dropped: droppedProof(found.record, record) };
      }),
    );
    tellChange(context.publish, changed.record, 'updated');
    return changed;
  }

  return {
    list: (viewer: Viewer, paging: Paging): RecordPage =>
      pageOf(paging, (window) => lists.listOwn(orm, viewer.id, window)),

    /** Arrears by the office's calendar (shared/domain/arrears.ts). */
    listOutstanding: (viewer: Viewer, paging: Paging): RecordPage =>
      pageOf(paging, (window) => lists.listOwnOutstanding(orm, viewer.id, todayIn(timeZone, now()), window)),

    /** @throws 422 when `year` is no whole number */
    listOfYear(viewer: Viewer, year: string, paging: Paging): RecordPage {
      if (!/^\d{1,9}$/.test(year)) throw invalid('year', fieldTexts.yearRange);
      return pageOf(paging, (window) => lists.listOwnOfYear(orm, viewer.id, Number(year), window));
    },

    /** @throws 404 when it is missing or somebody else's */
    requireRecord: (viewer: Viewer, id: string): OwnedRecord => requireOwn(orm, viewer, id),

    /** Year and tax type are fixed whatever was sent (specification 5). @throws 415, 507 as `ProofFiles.keep` */
    async create(viewer: Viewer, body: CreateRecordBody, upload: FormFile | undefined): Promise<OwnedRecord> {
      const created = await proofs.keep(upload, (proofFile) =>
        commit((tx) => {
          requireActor(tx, viewer, 'user');
          const owner = queries.findOwner(tx, viewer.id);
          if (!owner) throw sessionEnded();
          const fixed = { ...body, year: USER_RECORD_YEAR, tax_type: TAX_TYPE } as const;
          const record = buildRow({ id: newId(), userId: owner.id, proofFile }, fixed, now());
          queries.insertRecord(tx, record);
          audit.recordCreated(tx, viewer, record);
          return { value: { record, owner }, dropped: null };
        }),
      );
      tellChange(context.publish, created.record, 'created');
      return created;
    },

    /**
     * Fields that are undefined stay; year and tax type always do.
     * @throws 404 when it is missing or somebody else's, 409 when it changed since `updated_at`, 415, 507
     */
    async update(
      viewer: Viewer,
      id: string,
      edit: UpdateRecordBody,
      upload: FormFile | undefined,
    ): Promise<OwnedRecord> {
      return change(viewer, id, edit, upload);
    },

    /** @throws 422 without an image, 404, 415, 507 as `update` */
    async attachProof(viewer: Viewer, id: string, upload: FormFile | undefined): Promise<OwnedRecord> {
      if (!upload) throw invalid(PROOF_FIELD, fieldTexts.proofRequired);
      return change(viewer, id, {}, upload);
    },

    /** Its copies of other years stay (contract 4). @throws 404 when it is missing or somebody else's */
    async remove(viewer: Viewer, id: string): Promise<void> {
      const { record } = await commit((tx) => {
        requireActor(tx, viewer, 'user');
        const found = requireOwn(tx, viewer, id);
        queries.deleteRecord(tx, id);
        audit.recordDeleted(tx, viewer, found.record);
        return found;
      });
      tellChange(context.publish, record, 'deleted');
      if (record.proofFile) await proofs.discardAll([record.proofFile]);
    },
  };
}
export type RecordService = ReturnType<typeof createRecordService>;
