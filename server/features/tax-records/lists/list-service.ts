import type { AdminRecordsQuery } from '#shared/api/tax-records/tax-records.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { ADMIN_RECORDS_DEFAULT, OWN_RECORDS_DEFAULT } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import { invalid } from '#server/http/errors.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { linkSigningFor } from '#server/uploads/upload-links.ts';
import type { OwnListFilter } from './list-queries.ts';

/** Both counted from 1; absent means the whole first page. */
type Paging = { limit?: number | undefined; page?: number | undefined };

/** Lists of records, the own ones and all of them for admins. The query worker makes the whole answer. */
export function createRecordLists(context: ServiceContext) {
  const { queryWorker, now, timeZone } = context;

  function encodeOwnList(
    currentUser: CurrentUser,
    filter: Omit<OwnListFilter, 'userId'>,
    { limit = OWN_RECORDS_DEFAULT, page = 1 }: Paging,
    message: string,
    { acceptsGzip, ...caller }: ListCaller,
  ): Promise<EncodedAnswer> {
    const request = {
      filter: { ...filter, userId: currentUser.id },
      limitOffset: { limit, offset: (page - 1) * limit },
      message,
      page,
      linkSigning: linkSigningFor(context, currentUser),
      acceptsGzip,
    };
    return queryWorker.run('ownRecords', request, caller);
  }

  return {
    encodeOwn: (currentUser: CurrentUser, paging: Paging, caller: ListCaller): Promise<EncodedAnswer> =>
      encodeOwnList(currentUser, {}, paging, 'Daftar data PBB', caller),

    /** The own overdue records, today in the server's time zone (R-REC-4). */
    encodeOwnOverdue: (currentUser: CurrentUser, paging: Paging, caller: ListCaller): Promise<EncodedAnswer> =>
      encodeOwnList(currentUser, { overdueAt: todayIn(timeZone, now()) }, paging, 'Daftar tunggakan PBB', caller),

    /** @throws 422 when `year` is not a whole number */
    async encodeOwnOfYear(
      currentUser: CurrentUser,
      year: string,
      paging: Paging,
      caller: ListCaller,
    ): Promise<EncodedAnswer> {
      if (!/^\d{1,9}$/.test(year)) throw invalid('year', fieldTexts.yearRange);
      const message = `Daftar data PBB tahun ${year}`;
      return encodeOwnList(currentUser, { year: Number(year) }, paging, message, caller);
    },

    /** A search reads every record, and so do the sums by the proof or the date of payment. */
    encodeAll(
      currentUser: CurrentUser,
      { limit = ADMIN_RECORDS_DEFAULT, page = 1, ...filters }: AdminRecordsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const query = { ...filters, today: todayIn(timeZone, now()), limit, offset: (page - 1) * limit };
      const request = { query, page, linkSigning: linkSigningFor(context, currentUser), acceptsGzip };
      const { search, proof, payment_from, payment_to } = filters;
      const isSlow = [search, proof, payment_from, payment_to].some((filter) => filter !== undefined);
      return queryWorker.run('adminRecords', request, { ...caller, isSlow });
    },
  };
}
export type RecordLists = ReturnType<typeof createRecordLists>;
