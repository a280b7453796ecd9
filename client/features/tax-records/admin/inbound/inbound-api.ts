import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#client/lib/api/api.ts';
import { currentSession } from '#client/lib/session/session.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { VerificationState } from '#shared/domain/tax-records/verification-states.ts';
import type { CheckResult } from '#shared/domain/tax-records/record-values.ts';

/** The results to look back at. */
export type CheckedState = Exclude<VerificationState, 'none' | 'pending'>;
/** The payment that a decision stores; null leaves it alone. */
type Payment = { status: 'lunas'; payment_date: string } | { status: 'belum_lunas'; payment_date: null } | null;
/** `reason`: why it is rejected; null for a match. */
export type Decision = { result: CheckResult; reason: string | null; payment: Payment };

/** The number that an admin checks at a stretch; the next ones are loaded as these are decided. */
const QUEUE_MAX = 100;
export const LOOK_BACK_ROWS = 20;

/** The reports that wait for a check, the oldest first. The key makes every change of a record load them again. */
export const inboundQuery = queryOptions({
  queryKey: ['tax-records', 'verifications', 'pending'],
  queryFn: ({ signal }) => api.get('/admin/verifications', { query: { state: 'pending', limit: QUEUE_MAX }, signal }),
  // A colleague may have checked meanwhile what an older answer still has.
  staleTime: 0,
});

/** Number and sum of each tab, also for the menu: one row instead of the statistics over all records. */
export const inboundSumsQuery = queryOptions({
  queryKey: ['tax-records', 'verifications', 'sums'],
  queryFn: async ({ signal }) =>
    (await api.get('/admin/verifications', { query: { state: 'pending', limit: 1 }, signal })).sums,
});

/** The checked reports, the newest check first. */
export const checkedQuery = (state: CheckedState, page: number) =>
  queryOptions({
    queryKey: ['tax-records', 'verifications', state, page],
    queryFn: ({ signal }) => api.get('/admin/verifications', { query: { state, page, limit: LOOK_BACK_ROWS }, signal }),
    placeholderData: keepPreviousData,
  });

/** The reason why the newest check rejected a record that was reported again; null when it did not. */
export const earlierRejectionQuery = (recordId: string) =>
  queryOptions({
    queryKey: ['tax-records', 'history', 'earlier-rejection', recordId],
    queryFn: async ({ signal }) => {
      const { data } = await api.get('/admin/tax-records/{id}/history', { params: { id: recordId }, signal });
      const last = data.find(({ action }) => action === 'record.checked' || action === 'record.check_undone');
      if (last?.action !== 'record.checked') return null;
      const valueOf = (name: string) => last.changes.find(({ field }) => field === name)?.to;
      if (valueOf('verification') !== 'rejected') return null;
      return { reason: String(valueOf('verification_reason') ?? ''), by: last.actor.name, at: last.created_at };
    },
  });

/** Stores what the office found, and the payment with it. The server refuses when the record changed since it was loaded. */
export const checkRecord = ({ id, updated_at }: TaxRecord, { result, reason, payment }: Decision): Promise<TaxRecord> =>
  api.post('/admin/tax-records/{id}/verification', {
    params: { id },
    body: { result, updated_at, ...(reason === null ? {} : { reason }), ...payment },
  });

/** Whether a stored record already carries this decision of this admin: its answer was lost on the way. */
export function isAlreadyStored(record: TaxRecord, { result, reason, payment }: Decision): boolean {
  const { state, reason: storedReason, by_name } = record.verification;
  const isPaymentStored =
    payment === null || (record.status === payment.status && record.payment_date === payment.payment_date);
  return isPaymentStored && state === result && storedReason === reason && by_name === currentSession()?.user?.name;
}

/** Takes the newest check back with what it changed, so that the report waits again. */
export const undoCheck = ({ id, updated_at }: TaxRecord): Promise<TaxRecord> =>
  api.delete('/admin/tax-records/{id}/verification', { params: { id }, body: { updated_at } });
