import type { AdminRecordsQuery } from '#shared/api/tax-records.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { ADMIN_RECORDS_DEFAULT, OWN_RECORDS_DEFAULT } from '#shared/limits.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import * as lists from './list-queries.ts';

/** Both counted from 1; absent means the whole first page. */
type Paging = { limit?: number | undefined; page?: number | undefined };
export type RecordPage = lists.RecordSlice & { perPage: number; page: number };

/** Lists of records: the own ones, and all of them for admins. */
export function createRecordLists({ orm, queryWorker, secret, now, timeZone }: ServiceContext) {
  function readPage(
    { limit, page = 1 }: Paging,
    read: (limitOffset: lists.LimitOffset) => lists.RecordSlice,
  ): RecordPage {
    const perPage = limit ?? OWN_RECORDS_DEFAULT;
    return { ...read({ limit: perPage, offset: (page - 1) * perPage }), perPage, page };
  }

  return {
    listOwn: (currentUser: CurrentUser, paging: Paging): RecordPage =>
      readPage(paging, (limitOffset) => lists.listOwn(orm, currentUser.id, limitOffset)),

    /** The own overdue records, today in the server's time zone (R-REC-4). */
    listOwnOverdue: (currentUser: CurrentUser, paging: Paging): RecordPage =>
      readPage(paging, (limitOffset) =>
        lists.listOwnOverdue(orm, currentUser.id, todayIn(timeZone, now()), limitOffset),
      ),

    /** @throws 422 when `year` is not a whole number */
    listOwnOfYear(currentUser: CurrentUser, year: string, paging: Paging): RecordPage {
      if (!/^\d{1,9}$/.test(year)) throw invalid('year', fieldTexts.yearRange);
      return readPage(paging, (limitOffset) => lists.listOwnOfYear(orm, currentUser.id, Number(year), limitOffset));
    },

    /** Runs in the query worker, because a search reads every record. @returns the bytes of the answer, JSON */
    async encodeAll(
      { sessionId }: CurrentUser,
      { limit = ADMIN_RECORDS_DEFAULT, page = 1, ...filters }: AdminRecordsQuery,
    ): Promise<Buffer> {
      const query = { ...filters, limit, offset: (page - 1) * limit };
      const bytes = await queryWorker.run('adminRecords', {
        query,
        page,
        linkSigning: { sessionId, secret, nowMs: now() },
      });
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    },
  };
}
export type RecordLists = ReturnType<typeof createRecordLists>;
