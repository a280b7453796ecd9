import { encodeAuditAnswer } from '#server/features/audit/list-answer.ts';
import { encodeConversationsAnswer, encodeHistoryAnswer } from '#server/features/chat/list-answers.ts';
import { encodeNotesAnswer } from '#server/features/chat/notes/note-answers.ts';
import { encodeTranscriptAnswer } from '#server/features/chat/transcript/transcript-answer.ts';
import { readChatStatistics, readMedianWait } from '#server/features/office/statistics.ts';
import { encodeMessageSearchAnswer } from '#server/features/chat/search/search-answer.ts';
import { readOverview } from '#server/features/reports/overview-queries.ts';
import { readPropertyStatistics, readSummary } from '#server/features/reports/queries.ts';
import { encodeAdminRecordsAnswer, encodeOwnRecordsAnswer } from '#server/features/tax-records/list-answers.ts';
import { readAdminStatistics, readOwnStatistics } from '#server/features/tax-records/statistics/statistics-queries.ts';
import { encodeVerificationsAnswer } from '#server/features/tax-records/checks/verification-list.ts';
import { encodeUsersAnswer } from '#server/features/users/list-answer.ts';
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
};
