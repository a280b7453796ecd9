import { countObjectsInArea } from '#server/areas/area-filter-queries.ts';
import { encodeAuditAnswer } from '#server/features/audit/list-answers.ts';
import { encodeConversationsAnswer, encodeHistoryAnswer } from '#server/features/chat/list-answers.ts';
import { encodeNotesAnswer } from '#server/features/chat/notes/note-answers.ts';
import { encodeTranscriptAnswer } from '#server/features/chat/transcript/transcript-answers.ts';
import { readUsedRows } from '#server/features/dhkp/batches/apply-queries.ts';
import { encodeAssessmentsAnswer } from '#server/features/dhkp/list/list-answers.ts';
import { readAssessmentIds } from '#server/features/dhkp/list/list-queries.ts';
import { encodeMatchesAnswer } from '#server/features/dhkp/linking/match-answers.ts';
import { readFoundBlocks } from '#server/features/dhkp/settings/settings-queries.ts';
import { readChatStatistics, readMedianWait } from '#server/features/office/statistics.ts';
import { encodeMessageSearchAnswer } from '#server/features/chat/search/search-answers.ts';
import { readOverview } from '#server/features/reports/overview-queries.ts';
import { readPropertyStatistics, readSummary } from '#server/features/reports/queries.ts';
import { readOlderCounts } from '#server/features/retention/queries.ts';
import { encodeAdminRecordsAnswer, encodeOwnRecordsAnswer } from '#server/features/tax-records/lists/list-answers.ts';
import { readAdminStatistics, readOwnStatistics } from '#server/features/tax-records/statistics/statistics-queries.ts';
import { encodeVerificationsAnswer } from '#server/features/tax-records/checks/verification-answers.ts';
import { encodeUsersAnswer } from '#server/features/users/list-answers.ts';
import type { WorkerQueries } from './service-context.ts';

/** The functions that the query worker runs. Its thread imports this file without the rest of the app. */
export const workerQueries: WorkerQueries = {
  audit: encodeAuditAnswer,
  users: encodeUsersAnswer,
  ownRecords: encodeOwnRecordsAnswer,
  adminRecords: encodeAdminRecordsAnswer,
  verifications: encodeVerificationsAnswer,
  conversations: encodeConversationsAnswer,
  history: encodeHistoryAnswer,
  notes: encodeNotesAnswer,
  transcript: encodeTranscriptAnswer,
  messageSearch: encodeMessageSearchAnswer,
  adminStatistics: readAdminStatistics,
  ownStatistics: readOwnStatistics,
  reportSummary: readSummary,
  reportProperty: readPropertyStatistics,
  reportOverview: readOverview,
  chatStatistics: readChatStatistics,
  officeMedian: readMedianWait,
  dhkpList: encodeAssessmentsAnswer,
  dhkpIds: readAssessmentIds,
  dhkpBlocks: readFoundBlocks,
  dhkpUsedRows: readUsedRows,
  dhkpMatches: encodeMatchesAnswer,
  areaObjects: countObjectsInArea,
  retention: readOlderCounts,
};
