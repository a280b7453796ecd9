import { currentSession } from '#client/lib/session.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import { changeRecords } from '../../api.ts';
import { checkRecord, type Decision, undoCheck } from './inbound-api.ts';

/** What a decision makes of the status. */
export type RecordMark = { status: 'lunas'; payment_date: string } | { status: 'belum_lunas'; payment_date: null };

/** A decision that is on its way. */
export type Sending = {
  /** The version of the record that was looked at. */
  record: TaxRecord;
  decision: Decision;
  /** Stored before the check, in a call of its own; null leaves the status alone. */
  mark: RecordMark | null;
  /** As it was before that mark, once it is stored. */
  before: TaxRecord | null;
};

/** A check that can be undone: the record as the check left it, and as it was before its status was changed. */
export type DoneCheck = { stored: TaxRecord; before: TaxRecord | null };

/** The record kept its status, so it was not checked either. */
export class NotMarkedError extends Error {}

/**
 * Changes the status first: what an admin changes after a check makes the check outdated.
 * @param onMarked gets the record as the mark left it, because the check after it may still fail
 */
export async function sendDecision(
  { record, decision, mark }: Sending,
  onMarked: (marked: TaxRecord) => void,
): Promise<TaxRecord> {
  if (mark === null) return checkRecord(record, decision);
  const { results } = await changeRecords([{ id: record.id, updated_at: record.updated_at, ...mark }]);
  const [result] = results;
  if (!result?.changed) throw new NotMarkedError(result?.message ?? '');
  const marked = { ...record, ...mark, updated_at: result.updated_at ?? record.updated_at };
  onMarked(marked);
  return checkRecord(marked, decision);
}

/** Takes the check back, and then the change of the status. @returns the record, which waits again */
export async function takeBack({ stored, before }: DoneCheck): Promise<TaxRecord> {
  const waiting = await undoCheck(stored);
  if (!before) return waiting;
  const target = { status: before.status, payment_date: before.payment_date };
  const { results } = await changeRecords([{ id: waiting.id, updated_at: waiting.updated_at, ...target }]);
  const [result] = results;
  if (!result?.changed) throw new NotMarkedError(result?.message ?? '');
  return { ...waiting, ...target, updated_at: result.updated_at ?? waiting.updated_at };
}

/** Whether a stored record already carries this decision of this admin: its answer was lost on the way. */
export function isAlreadyStored({ verification }: TaxRecord, { result, reason }: Decision): boolean {
  return (
    verification.state === result &&
    verification.reason === reason &&
    verification.by_name === currentSession()?.user?.name
  );
}
