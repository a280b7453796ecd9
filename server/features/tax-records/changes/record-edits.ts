import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ImageChange } from '#server/uploads/image-files.ts';
import type { StoredUpload } from '#server/uploads/upload-files.ts';
import * as queries from '../queries.ts';
import type { OwnedRecord } from '../queries.ts';
import { requireQuota } from '../quota/quota.ts';
import { findRemovedProof, mergeEdit, type RecordEdit } from './record-changes.ts';
import type { RecordScope } from './record-scopes.ts';
import { wasMatched } from './check-rules.ts';

/** The parts of an edit that run inside its transaction. */
export function createRecordEdits(
  { audit, now, quota }: ServiceContext,
  scope: Pick<
    RecordScope<never>,
    'author' | 'includes' | 'missingText' | 'prepareEdit' | 'quotaTexts' | 'requireValidEdit'
  >,
) {
  /** @throws 404 when it is missing or outside the scope */
  async function requireRecord(
    db: ConnectionOrTransaction,
    currentUser: CurrentUser,
    id: string,
  ): Promise<OwnedRecord> {
    const found = await queries.findRecord(db, id);
    if (!found || !scope.includes(found.record, currentUser)) throw notFound(scope.missingText);
    return found;
  }

  /** Stores a record as an edit leaves it, with its audit entry. @throws 422 as the scope, and beyond the quota */
  async function applyEdit(
    tx: Transaction,
    currentUser: CurrentUser,
    found: OwnedRecord,
    edit: RecordEdit,
    newProof: StoredUpload | null,
  ): Promise<ImageChange<OwnedRecord>> {
    const allowed = await scope.prepareEdit(tx, found.record, edit);
    const writing = { by: scope.author, byName: currentUser.name, nowMs: now(), isUndo: edit.undo ?? false };
    const record = mergeEdit(found.record, allowed, newProof, writing);
    scope.requireValidEdit(record, edit);
    await queries.updateRecord(tx, record);
    await requireQuota(tx, quota, { before: found.record, after: record, texts: scope.quotaTexts });
    if (wasMatched(found.record, record))
      await audit.recordVerified(tx, currentUser, 'record.checked', found.record, record);
    else await audit.recordChanged(tx, currentUser, found.record, record);
    return { value: { ...found, record }, removedImage: findRemovedProof(found.record, record) };
  }

  return { requireRecord, applyEdit };
}
