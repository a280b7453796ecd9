import type { AuditPageQuery, AuditQuery } from '#shared/api/audit.ts';
import { AUDIT_DEFAULT } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { AuditFilter, AuditRow } from './queries.ts';

export type AuditPage = { rows: AuditRow[]; total: number; perPage: number; page: number };
type Filter = Omit<AuditFilter, 'limit' | 'offset'>;

const RECORD_ACTIONS = ['record.created', 'record.updated', 'record.deleted'] as const;

/**
 * Reads the audit: all of it for admins, that of the own records for users.
 * @param requireOwnRecord throws 404 unless the record exists and belongs to the caller (R-PERM-2)
 */
export function createAuditService(
  { queryWorker }: Pick<ServiceContext, 'queryWorker'>,
  requireOwnRecord: (currentUser: CurrentUser, id: string) => unknown,
) {
  async function readPage(filter: Filter, { limit = AUDIT_DEFAULT, page = 1 }: AuditPageQuery): Promise<AuditPage> {
    const found = await queryWorker.run('audit', { ...filter, limit, offset: (page - 1) * limit });
    return { ...found, perPage: limit, page };
  }
  const readRecordPage = (id: string, paging: AuditPageQuery): Promise<AuditPage> =>
    readPage({ subject_id: id, actions: RECORD_ACTIONS }, paging);

  return {
    list({ limit, page, ...filter }: AuditQuery): Promise<AuditPage> {
      return readPage(filter, { limit, page });
    },

    /** Works for deleted records too. */
    listOfRecord: readRecordPage,

    /** @throws 404 when the record is missing or another user's */
    async listOfOwnRecord(currentUser: CurrentUser, id: string, paging: AuditPageQuery): Promise<AuditPage> {
      requireOwnRecord(currentUser, id);
      return readRecordPage(id, paging);
    },
  };
}
export type AuditService = ReturnType<typeof createAuditService>;
