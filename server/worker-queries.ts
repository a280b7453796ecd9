import { readAudit } from '#server/features/audit/queries.ts';
import { readConversations } from '#server/features/chat/list-queries.ts';
import { readPropertyStatistics, readSummary } from '#server/features/reports/queries.ts';
import { encodeAdminRecordsAnswer } from '#server/features/tax-records/admin-list-answer.ts';
import { readAdminStatistics, readOwnStatistics } from '#server/features/tax-records/statistics/statistics-queries.ts';
import { readUsers } from '#server/features/users/queries.ts';

/** Every query that runs in the reading worker, by name; joins the features like app.ts does. */
export const workerQueries = {
  audit: readAudit,
  users: readUsers,
  adminRecords: encodeAdminRecordsAnswer,
  conversations: readConversations,
  adminStatistics: readAdminStatistics,
  ownStatistics: readOwnStatistics,
  reportSummary: readSummary,
  reportProperty: readPropertyStatistics,
};
export type WorkerQueries = typeof workerQueries;
