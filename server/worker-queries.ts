import { readAudit } from '#server/features/audit/queries.ts';
import { readConversations } from '#server/features/chat/list-queries.ts';
import { readPropertyStatistics, readSummary } from '#server/features/reports/queries.ts';
import { encodeAdminRecordsAnswer } from '#server/features/tax-records/admin-list-answer.ts';
import { readAdminStatistics, readOwnStatistics } from '#server/features/tax-records/statistics/statistics-queries.ts';
import { readUsers } from '#server/features/users/queries.ts';
import type { WorkerQueries } from './service-context.ts';

/** The functions that the query worker runs. Its thread imports this file without the rest of the app. */
export const workerQueries: WorkerQueries = {
  audit: readAudit,
  users: readUsers,
  adminRecords: encodeAdminRecordsAnswer,
  conversations: readConversations,
  adminStatistics: readAdminStatistics,
  ownStatistics: readOwnStatistics,
  reportSummary: readSummary,
  reportProperty: readPropertyStatistics,
};
