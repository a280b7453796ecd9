import type { AuditPageQuery, AuditQuery } from '#shared/api/audit.ts';
import { endOfDayMs, startOfDayMs } from '#shared/domain/dates/dates.ts';
import { AUDIT_DEFAULT } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import type { AuditFilter } from './queries.ts';

type Filter = Omit<AuditFilter, 'limit' | 'offset'>;

const RECORD_ACTIONS = [
  'record.created',
  'record.updated',
  'record.deleted',
  'record.checked',
  'record.check_undone',
] as const;

/** Reads the audit: all of it, and that of one record. */
export function createAuditService({ queryWorker, timeZone }: Pick<ServiceContext, 'queryWorker' | 'timeZone'>) {
  function encodePage(
    filter: Filter,
    { limit = AUDIT_DEFAULT, page = 1 }: AuditPageQuery,
    { acceptsGzip, ...caller }: ListCaller,
  ): Promise<EncodedAnswer> {
    const request = { filter: { ...filter, limit, offset: (page - 1) * limit }, page, acceptsGzip };
    const isSlow = [filter.search, filter.fromMs, filter.endMs].some((value) => value !== undefined && value !== null);
    return queryWorker.run('audit', request, { ...caller, isSlow });
  }

  /** A range of days as one of instants. Null matches nothing, and stays null. */
  function toInstants({ from, to }: Pick<AuditQuery, 'from' | 'to'>): Pick<Filter, 'fromMs' | 'endMs'> {
    return {
      fromMs: typeof from === 'string' ? startOfDayMs(from, timeZone) : from,
      endMs: typeof to === 'string' ? endOfDayMs(to, timeZone) : to,
    };
  }

  return {
    encodeList({ limit, page, from, to, ...filter }: AuditQuery, caller: ListCaller): Promise<EncodedAnswer> {
      return encodePage({ ...filter, ...toInstants({ from, to }) }, { limit, page }, caller);
    },

    /** Works for deleted records too. The caller has checked whose record it is (R-PERM-2). */
    encodeOfRecord: (id: string, paging: AuditPageQuery, caller: ListCaller): Promise<EncodedAnswer> =>
      encodePage({ subject_id: id, actions: RECORD_ACTIONS }, paging, caller),
  };
}
