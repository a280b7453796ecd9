import type { VerificationBody, VerificationsQuery } from '#shared/api/tax-records/verification.ts';
import { ADMIN_RECORDS_DEFAULT } from '#shared/limits.ts';
import { checkTexts, errorTexts } from '#shared/texts.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import { conflict, notFound } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { CheckColumns } from '#server/records/verification-state.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { linkSigningFor } from '#server/uploads/upload-links.ts';
import { findRecord, type OwnedRecord, type RecordRow, updateRecord } from '../queries.ts';
import { publishRecordChange } from '../changes/record-changes.ts';
import {
  canCheck,
  canUndo,
  columnsAfterCheck,
  columnsAfterUndo,
  isSamePayment,
  type Payment,
} from '../changes/check-rules.ts';
import { noticeOfMatch, noticeOfRejection, noticeOfUndo, type StoreNotice } from '../changes/notices.ts';

/** The columns of a record after a check or its undo; null: they are so already. @throws 409 when there is nothing to check or to undo */
type Verify = (row: RecordRow, nowMs: number) => (CheckColumns & Payment) | null;

/** Checks of reported payments by the office (R-CHECK). They change a status only where it is sent with them. */
export function createVerificationService(context: ServiceContext, storeNotice: StoreNotice) {
  const { audit, policy, write, now, queryWorker } = context;

  async function verify(
    currentUser: CurrentUser,
    id: string,
    loadedAt: string,
    action: 'record.checked' | 'record.check_undone',
    { change, notice }: { change: Verify; notice: typeof noticeOfMatch },
  ): Promise<OwnedRecord> {
    const { verified, publishNotice } = await write(async (tx) => {
      await policy.requireLiveAdmin(tx, currentUser);
      const found = await findRecord(tx, id);
      if (!found) throw notFound(errorTexts.adminRecordMissing);
      const { record: before, owner } = found;
      requireUnchanged(before, loadedAt);
      const nowMs = now();
      const columns = change(before, nowMs);
      if (columns === null) return { verified: found, publishNotice: null };
      const record = { ...before, ...columns, updatedAt: nextUpdatedAt(before, nowMs) };
      await updateRecord(tx, record);
      await audit.recordVerified(tx, currentUser, action, before, record);
      return {
        verified: { record, owner },
        publishNotice: await storeNotice(tx, notice(currentUser, record, before)),
      };
    });
    if (publishNotice === null) return verified;
    publishRecordChange(context.publish, verified.record, 'updated');
    await publishNotice();
    return verified;
  }

  return {
    /** The records that wait for a check, or those with one result. */
    encodeList(
      currentUser: CurrentUser,
      { state = 'pending', limit = ADMIN_RECORDS_DEFAULT, page = 1 }: VerificationsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const request = {
        query: { state, limit, offset: (page - 1) * limit },
        page,
        linkSigning: linkSigningFor(context, currentUser),
        acceptsGzip,
      };
      return queryWorker.run('verifications', request, caller);
    },

    /** @throws 401, 403, 404, 409 when it changed since `updated_at` or nothing is reported */
    check(currentUser: CurrentUser, id: string, body: VerificationBody): Promise<OwnedRecord> {
      const { result, reason = null, status, payment_date: paymentDate = null, updated_at } = body;
      const change: Verify = (row, nowMs) => {
        const payment =
          status === undefined ? { status: row.status, paymentDate: row.paymentDate } : { status, paymentDate };
        // An older client marks the record as paid first, which matches it, and then sends the match.
        if (result === 'matched' && row.checkState === 'matched' && isSamePayment(row, payment)) return null;
        if (!canCheck(row)) throw conflict(checkTexts.nothingReported);
        const check = { result, reason, byName: currentUser.name };
        return { ...payment, ...columnsAfterCheck(row, payment, check, nowMs) };
      };
      const notice = result === 'matched' ? noticeOfMatch : noticeOfRejection;
      return verify(currentUser, id, updated_at, 'record.checked', { change, notice });
    },

    /** Takes the newest check back. @throws 401, 403, 404, 409 when it changed since `updated_at` or nothing is checked */
    undo(currentUser: CurrentUser, id: string, updatedAt: string): Promise<OwnedRecord> {
      const change: Verify = (row) => {
        if (!canUndo(row)) throw conflict(checkTexts.nothingToUndo);
        return columnsAfterUndo(row);
      };
      return verify(currentUser, id, updatedAt, 'record.check_undone', { change, notice: noticeOfUndo });
    },
  };
}
export type VerificationService = ReturnType<typeof createVerificationService>;
