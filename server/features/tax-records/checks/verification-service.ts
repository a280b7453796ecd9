import type { VerificationBody, VerificationsQuery } from '#shared/api/verification.ts';
import { ADMIN_RECORDS_DEFAULT } from '#shared/limits.ts';
import { checkTexts, errorTexts } from '#shared/texts.ts';
import type { EncodedAnswer } from '#server/http/encoded-answer.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { type CheckColumns, presentVerification } from '#server/record-cards/verification-state.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { findRecord, type OwnedRecord, type RecordRow, updateRecord } from '../queries.ts';
import { publishRecordChange } from '../record-changes.ts';
import { canCheck, canUndo, columnsAfterCheck, columnsAfterUndo } from '../verification/check-rules.ts';
import { noticeTexts, type StoreNotice } from '../verification/notices.ts';

/** What a check or its undo makes of a record. @throws 409 when there is nothing to check or to undo */
type Verify = (row: RecordRow, nowMs: number) => { columns: CheckColumns; notice: string };

/** Checks of reported payments by the office (R-CHECK). They change no status and no sum. */
export function createVerificationService(context: ServiceContext, storeNotice: StoreNotice) {
  const { audit, policy, write, now, queryWorker, secret } = context;

  async function verify(
    currentUser: CurrentUser,
    id: string,
    loadedAt: string,
    action: 'record.checked' | 'record.check_undone',
    change: Verify,
  ): Promise<OwnedRecord> {
    const { verified, publishNotice } = await write((tx) => {
      policy.requireLiveAdmin(currentUser);
      const found = findRecord(tx, id);
      if (!found) throw notFound(errorTexts.adminRecordMissing);
      const { record: before, owner } = found;
      requireUnchanged(before, loadedAt);
      const nowMs = now();
      const { columns, notice } = change(before, nowMs);
      const record = { ...before, ...columns, updatedAt: nextUpdatedAt(before, nowMs) };
      updateRecord(tx, record);
      const states = { before: presentVerification(before), after: presentVerification(record) };
      audit.recordVerified(tx, currentUser, action, record, states);
      return {
        verified: { record, owner },
        publishNotice: storeNotice(tx, { actor: currentUser, userId: owner.id, content: notice, recordId: id }),
      };
    });
    publishRecordChange(context.publish, verified.record, 'updated');
    await publishNotice();
    return verified;
  }

  return {
    /** The records that wait for a check, or those with one result. */
    encodeList(
      { sessionId }: CurrentUser,
      { state = 'pending', limit = ADMIN_RECORDS_DEFAULT, page = 1 }: VerificationsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const request = {
        query: { state, limit, offset: (page - 1) * limit },
        page,
        linkSigning: { sessionId, secret, nowMs: now() },
        acceptsGzip,
      };
      return queryWorker.run('verifications', request, caller);
    },

    /** @throws 401, 403, 404, 409 when it changed since `updated_at` or nothing is reported */
    check: (currentUser: CurrentUser, id: string, { result, reason = null, updated_at }: VerificationBody) =>
      verify(currentUser, id, updated_at, 'record.checked', (row, nowMs) => {
        if (!canCheck(row)) throw conflict(checkTexts.nothingReported);
        return {
          columns: columnsAfterCheck(row, { result, reason, byName: currentUser.name }, nowMs),
          notice: result === 'rejected' ? noticeTexts.rejected(row, reason ?? '') : noticeTexts.matched(row),
        };
      }),

    /** Takes the newest check back. @throws 401, 403, 404, 409 when it changed since `updated_at` or nothing is checked */
    undo: (currentUser: CurrentUser, id: string, updatedAt: string) =>
      verify(currentUser, id, updatedAt, 'record.check_undone', (row) => {
        if (!canUndo(row)) throw conflict(checkTexts.nothingToUndo);
        return { columns: columnsAfterUndo(row), notice: noticeTexts.undone(row) };
      }),
  };
}
export type VerificationService = ReturnType<typeof createVerificationService>;
