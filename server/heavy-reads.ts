import { readAudit } from './features/audit/queries.ts';
import { readConversations } from './features/chat/list-queries.ts';
import { readPropertySums, readSummary } from './features/reports/queries.ts';
import { answerAdminRecords } from './features/tax-records/admin-list-answer.ts';
import { readOfficeFigures, readOwnFigures } from '#server/features/tax-records/statistics/statistics-queries.ts';
import { readUsers } from './features/users/queries.ts';

/** Every query that runs in the reading worker, by name; joins the features like app.ts does. */
export const heavyReads = {
  audit: readAudit,
  users: readUsers,
  adminRecords: answerAdminRecords,
  conversations: readConversations,
  officeFigures: readOfficeFigures,
  ownFigures: readOwnFigures,
  reportSummary: readSummary,
  reportProperty: readPropertySums,
};
export type HeavyReads = typeof heavyReads;
