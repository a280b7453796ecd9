import type { AdminCreateRecordBody, CreateRecordBody } from '#shared/api/tax-records/tax-records.ts';
import { todayIn, yearOf } from '#shared/domain/dates/dates.ts';
import { TAX_TYPE } from '#shared/domain/tax-records/record-values.ts';
import { yearAfterEdit, yearOfNewRecord } from '#shared/domain/tax-records/open-years.ts';
import { YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { errorTexts, fieldTexts, type QuotaTexts, quotaTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/engine.ts';
import { invalid, sessionEnded } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { readRecordSettings } from '#server/records/record-settings-queries.ts';
import { findOwner, type RecordOwner, type RecordRow } from '../queries.ts';
import type { NewRecord, RecordEdit } from './record-changes.ts';
import type { RecordAuthor } from './check-rules.ts';

/** The differences between the calls for own records and those for all records. */
export type RecordScope<CreateBody> = {
  /** The side for which the currentUser writes: the owner reports payments, the office does not (R-CHECK-1). */
  author: RecordAuthor;
  /** Repeats the check of the request inside the transaction. @throws 401, 403 */
  requireLive: (tx: Transaction, currentUser: CurrentUser) => Promise<void>;
  missingText: string;
  quotaTexts: QuotaTexts;
  includes: (record: RecordRow, currentUser: CurrentUser) => boolean;
  /** Owner and contents of a new record. @throws 401 or 422 when there is no such owner, 422 for a year out of range */
  prepareNew: (
    tx: Transaction,
    currentUser: CurrentUser,
    body: CreateBody,
  ) => Promise<{ owner: RecordOwner; body: NewRecord }>;
  /** The edit without what the scope does not let the currentUser change. */
  prepareEdit: (tx: Transaction, record: RecordRow, edit: RecordEdit) => Promise<RecordEdit>;
  /** @throws 422 when the scope does not allow the record as the edit leaves it */
  requireValidEdit: (edited: RecordRow, edit: RecordEdit) => void;
};

/** The own records of the currentUser, under /tax-records. An admin may have some too. */
export function ownScope({ policy }: ServiceContext): RecordScope<CreateRecordBody> {
  return {
    author: 'user',
    requireLive: (tx, currentUser) => policy.requireLiveSession(tx, currentUser),
    missingText: errorTexts.recordMissing,
    quotaTexts: quotaTexts.own,
    // A record of another user counts as missing, so that ids cannot be tried out.
    includes: (record, currentUser) => record.userId === currentUser.id,
    async prepareNew(tx, currentUser, body) {
      const owner = await findOwner(tx, currentUser.id);
      if (!owner) throw sessionEnded();
      // The tax type is fixed, and the year is one that is open, whatever was sent (R-REC-5).
      const year = yearOfNewRecord((await readRecordSettings(tx)).user_years, body.year);
      return { owner, body: { ...body, year, tax_type: TAX_TYPE } };
    },
    prepareEdit: async (tx, record, edit) => ({
      ...edit,
      year: yearAfterEdit((await readRecordSettings(tx)).user_years, edit.year, record.year),
    }),
    requireValidEdit: () => undefined,
  };
}

/** The records of all users, for admins, under /admin/tax-records. */
export function adminScope({ policy, now, timeZone }: ServiceContext): RecordScope<AdminCreateRecordBody> {
  return {
    author: 'admin',
    requireLive: (tx, currentUser) => policy.requireLiveAdmin(tx, currentUser),
    missingText: errorTexts.adminRecordMissing,
    quotaTexts: quotaTexts.admin,
    includes: () => true,
    async prepareNew(tx, _currentUser, body) {
      const owner = await findOwner(tx, body.user_id);
      if (!owner) throw invalid('user_id', fieldTexts.pickUser);
      const year = body.year ?? yearOf(todayIn(timeZone, now()));
      if (year < YEAR_MIN || year > YEAR_MAX) throw invalid('year', fieldTexts.yearRange);
      return { owner, body: { ...body, year } };
    },
    prepareEdit: async (_tx, _record, edit) => edit,
    // Only an edit that touches status or payment date is checked: the address of a record that its owner marked as
    // paid without a date can still be changed (R-REC-8).
    requireValidEdit(edited, edit) {
      const touched = edit.status !== undefined || edit.payment_date !== undefined;
      if (touched && edited.status === 'lunas' && edited.paymentDate === null) {
        throw invalid('payment_date', fieldTexts.paymentDateRequired);
      }
    },
  };
}
