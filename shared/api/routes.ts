import type { z } from 'zod';
import type { auditAnswer, auditPageQuery, auditQuery } from './audit.ts';
import type {
  adminContactAnswer,
  changeNameBody,
  changePasswordAnswer,
  changePasswordBody,
  loginBody,
  ownSessionsAnswer,
  ownUserAnswer,
  registerBody,
  sessionAnswer,
} from './auth.ts';
import type {
  attachmentAnswer,
  attachmentBody,
  conversationsAnswer,
  conversationsQuery,
  historyAnswer,
  historyQuery,
  seenAnswer,
  seenBody,
  sendAnswer,
  sendBody,
} from './chat.ts';
import type { doneAnswer } from './envelope.ts';
import type { firstStepBody, firstStepsAnswer } from './first-steps.ts';
import type {
  claimBody,
  conversationStateAnswer,
  dismissBody,
  messageSearchAnswer,
  messageSearchQuery,
  noteAnswer,
  noteBody,
  notesAnswer,
  notesForMeAnswer,
  snoozeBody,
  transcriptAnswer,
  transcriptQuery,
} from './inbox.ts';
import type { noticesAnswer } from './notices.ts';
import type {
  pushActionAnswer,
  pushActionBody,
  pushTestAnswer,
  pushKeyAnswer,
  pushPreferencesAnswer,
  pushPreferencesBody,
  pushSubscriptionBody,
} from './push.ts';
import type {
  fillAnswer,
  fillBody,
  quickRepliesAnswer,
  quickReplyAnswer,
  quickReplyBody,
  updateQuickReplyBody,
} from './quick-replies.ts';
import type { recordSettingsAnswer, recordSettingsBody } from './record-settings.ts';
import type {
  chatStatisticsAnswer,
  chatStatisticsQuery,
  officeAnswer,
  officeHoursAnswer,
  officeHoursBody,
  publicOfficeAnswer,
} from './office.ts';
import type { officeIdentityAnswer, officeIdentityBody } from './office-identity.ts';
import type {
  overviewQuery,
  reportOverviewAnswer,
  reportPropertyAnswer,
  reportQuery,
  reportSummaryAnswer,
} from './reports.ts';
import type { backupsAnswer, certificateRetryAnswer, downloadAnswer, downloadBody, systemAnswer } from './system.ts';
import type {
  adminCreateRecordBody,
  adminRecordsAnswer,
  adminRecordsQuery,
  verificationsAnswer,
  adminStatisticsAnswer,
  adminUpdateRecordBody,
  autoCreateAnswer,
  autoCreateBody,
  bulkRecordsAnswer,
  bulkRecordsBody,
  checkYearAnswer,
  createRecordBody,
  ownRecordsQuery,
  ownStatisticsAnswer,
  quotaAnswer,
  recordAnswer,
  recordsAnswer,
  updateRecordBody,
} from './tax-records.ts';
import type {
  createUserBody,
  oneUserAnswer,
  ownPasswordBody,
  resetPasswordBody,
  updateUserBody,
  usersAnswer,
  usersQuery,
} from './users.ts';
import type {
  proofFromMessageBody,
  undoVerificationBody,
  verificationBody,
  verificationsQuery,
} from './verification.ts';

type Query<S extends z.ZodType> = { [Name in keyof z.output<S>]?: QueryValue<NonNullable<z.output<S>[Name]>> };

/** A query travels as text, also a list of values (with commas); an empty value, null and undefined are not sent. */
type QueryValue<T> =
  | (T extends boolean ? 0 | 1 : T extends number ? number | string : T extends readonly unknown[] ? string : T)
  | ''
  | null
  | undefined;

/**
 * A record as its form holds it. A field is null while its text is not valid, and the server answers that with 422.
 * The tax type is a plain text in every answer, so that an edit sends it back as one.
 */
type RecordBody<S extends z.ZodType> = {
  [Name in keyof z.input<S>]: Name extends 'tax_type' ? string : z.input<S>[Name] | null;
};

/**
 * Every call of the REST API, by method and path below `/api`. `{name}` is a path parameter.
 * `form` marks a call that also takes its fields as a multipart form with an image.
 * Types only: nothing of this file exists at run time. `server/http/api-docs/api-routes.test.ts` compares it with the server.
 */
export type Routes = {
  'POST /auth/login': { body: z.input<typeof loginBody>; answer: z.output<typeof sessionAnswer> };
  'POST /auth/register': { body: z.input<typeof registerBody>; answer: z.output<typeof sessionAnswer> };
  'POST /auth/logout': { answer: z.output<typeof doneAnswer> };
  'GET /auth/user': { answer: z.output<typeof ownUserAnswer> };
  'PUT /auth/user': { body: z.input<typeof changeNameBody>; answer: z.output<typeof ownUserAnswer> };
  'PUT /auth/password': { body: z.input<typeof changePasswordBody>; answer: z.output<typeof changePasswordAnswer> };
  'GET /auth/sessions': { answer: z.output<typeof ownSessionsAnswer> };
  'DELETE /auth/sessions': { answer: z.output<typeof doneAnswer> };
  'DELETE /auth/sessions/{id}': { answer: z.output<typeof doneAnswer> };
  'GET /auth/admin-contact': { answer: z.output<typeof adminContactAnswer> };

  'GET /tax-records': { query: Query<typeof ownRecordsQuery>; answer: z.output<typeof recordsAnswer> };
  'GET /tax-records/outstanding': { query: Query<typeof ownRecordsQuery>; answer: z.output<typeof recordsAnswer> };
  'GET /tax-records/year/{year}': { query: Query<typeof ownRecordsQuery>; answer: z.output<typeof recordsAnswer> };
  'GET /tax-records/statistics': { answer: z.output<typeof ownStatisticsAnswer> };
  'GET /tax-records/quota': { answer: z.output<typeof quotaAnswer> };
  'GET /tax-records/check-year': { answer: z.output<typeof checkYearAnswer> };
  'POST /tax-records/auto-create': { body: z.input<typeof autoCreateBody>; answer: z.output<typeof autoCreateAnswer> };
  'GET /admin/record-settings': { answer: z.output<typeof recordSettingsAnswer> };
  'PUT /admin/record-settings': {
    body: z.input<typeof recordSettingsBody>;
    answer: z.output<typeof recordSettingsAnswer>;
  };
  'GET /tax-records/{id}': { answer: z.output<typeof recordAnswer> };
  'GET /tax-records/{id}/history': { query: Query<typeof auditPageQuery>; answer: z.output<typeof auditAnswer> };
  'POST /tax-records': {
    body: RecordBody<typeof createRecordBody>;
    form: true;
    answer: z.output<typeof recordAnswer>;
  };
  'PUT /tax-records/{id}': {
    body: RecordBody<typeof updateRecordBody>;
    form: true;
    answer: z.output<typeof recordAnswer>;
  };
  'POST /tax-records/{id}/payment-proof': { body: never; form: true; answer: z.output<typeof recordAnswer> };
  'POST /tax-records/{id}/payment-proof/from-message': {
    body: z.input<typeof proofFromMessageBody>;
    answer: z.output<typeof recordAnswer>;
  };
  'DELETE /tax-records/{id}': { answer: z.output<typeof doneAnswer> };

  'GET /admin/tax-records': { query: Query<typeof adminRecordsQuery>; answer: z.output<typeof adminRecordsAnswer> };
  'GET /admin/tax-records/{id}': { answer: z.output<typeof recordAnswer> };
  'GET /admin/tax-records/{id}/history': { query: Query<typeof auditPageQuery>; answer: z.output<typeof auditAnswer> };
  'POST /admin/tax-records': {
    body: RecordBody<typeof adminCreateRecordBody>;
    form: true;
    answer: z.output<typeof recordAnswer>;
  };
  'POST /admin/tax-records/bulk': {
    body: z.input<typeof bulkRecordsBody>;
    answer: z.output<typeof bulkRecordsAnswer>;
  };
  'PUT /admin/tax-records/{id}': {
    body: RecordBody<typeof adminUpdateRecordBody>;
    form: true;
    answer: z.output<typeof recordAnswer>;
  };
  'POST /admin/tax-records/{id}/payment-proof': { body: never; form: true; answer: z.output<typeof recordAnswer> };
  'POST /admin/tax-records/{id}/payment-proof/from-message': {
    body: z.input<typeof proofFromMessageBody>;
    answer: z.output<typeof recordAnswer>;
  };
  'DELETE /admin/tax-records/{id}': { answer: z.output<typeof doneAnswer> };
  'GET /admin/verifications': {
    query: Query<typeof verificationsQuery>;
    answer: z.output<typeof verificationsAnswer>;
  };
  'POST /admin/tax-records/{id}/verification': {
    body: z.input<typeof verificationBody>;
    answer: z.output<typeof recordAnswer>;
  };
  'DELETE /admin/tax-records/{id}/verification': {
    body: z.input<typeof undoVerificationBody>;
    answer: z.output<typeof recordAnswer>;
  };
  'GET /admin/statistics': { answer: z.output<typeof adminStatisticsAnswer> };

  'GET /push/key': { answer: z.output<typeof pushKeyAnswer> };
  'PUT /push/subscription': {
    body: z.input<typeof pushSubscriptionBody>;
    answer: z.output<typeof doneAnswer>;
  };
  'DELETE /push/subscription': { answer: z.output<typeof doneAnswer> };
  'GET /push/preferences': { answer: z.output<typeof pushPreferencesAnswer> };
  'PUT /push/preferences': {
    body: z.input<typeof pushPreferencesBody>;
    answer: z.output<typeof pushPreferencesAnswer>;
  };
  'POST /push/test': { answer: z.output<typeof pushTestAnswer> };
  'POST /push/actions': { body: z.input<typeof pushActionBody>; answer: z.output<typeof pushActionAnswer> };

  'GET /admin/quick-replies': { answer: z.output<typeof quickRepliesAnswer> };
  'POST /admin/quick-replies': { body: z.input<typeof quickReplyBody>; answer: z.output<typeof quickReplyAnswer> };
  'PUT /admin/quick-replies/{id}': {
    body: z.input<typeof updateQuickReplyBody>;
    answer: z.output<typeof quickReplyAnswer>;
  };
  'DELETE /admin/quick-replies/{id}': { answer: z.output<typeof doneAnswer> };
  'POST /admin/quick-replies/{id}/fill': {
    body: z.input<typeof fillBody>;
    answer: z.output<typeof fillAnswer>;
  };

  'GET /reports/summary': { query: Query<typeof reportQuery>; answer: z.output<typeof reportSummaryAnswer> };
  'GET /reports/property': { query: Query<typeof reportQuery>; answer: z.output<typeof reportPropertyAnswer> };
  'GET /admin/reports/overview': {
    query: Query<typeof overviewQuery>;
    answer: z.output<typeof reportOverviewAnswer>;
  };

  'GET /admin/users': { query: Query<typeof usersQuery>; answer: z.output<typeof usersAnswer> };
  'GET /admin/users/{id}': { answer: z.output<typeof oneUserAnswer> };
  'GET /admin/users/{id}/quota': { answer: z.output<typeof quotaAnswer> };
  'GET /admin/users/{id}/statistics': { answer: z.output<typeof ownStatisticsAnswer> };
  'POST /admin/users': { body: z.input<typeof createUserBody>; answer: z.output<typeof oneUserAnswer> };
  'PUT /admin/users/{id}': { body: z.input<typeof updateUserBody>; answer: z.output<typeof oneUserAnswer> };
  'PUT /admin/users/{id}/toggle-status': {
    body: z.input<typeof ownPasswordBody>;
    answer: z.output<typeof oneUserAnswer>;
  };
  'PUT /admin/users/{id}/password': { body: z.input<typeof resetPasswordBody>; answer: z.output<typeof doneAnswer> };
  'DELETE /admin/users/{id}': { body: z.input<typeof ownPasswordBody>; answer: z.output<typeof doneAnswer> };

  'POST /messages/attachments': {
    body: z.input<typeof attachmentBody>;
    form: true;
    answer: z.output<typeof attachmentAnswer>;
  };
  'DELETE /messages/attachments/{id}': { answer: z.output<typeof doneAnswer> };
  'POST /messages/send': { body: z.input<typeof sendBody>; answer: z.output<typeof sendAnswer> };
  'GET /messages/conversations': {
    query: Query<typeof conversationsQuery>;
    answer: z.output<typeof conversationsAnswer>;
  };
  'GET /messages/conversation/{userId}': {
    query: Query<typeof historyQuery>;
    answer: z.output<typeof historyAnswer>;
  };
  'POST /messages/conversation/{userId}/seen': {
    body: z.input<typeof seenBody>;
    answer: z.output<typeof seenAnswer>;
  };
  'DELETE /messages/conversation/{userId}': { answer: z.output<typeof doneAnswer> };
  'POST /admin/conversations/{userId}/claim': {
    body: z.input<typeof claimBody>;
    answer: z.output<typeof conversationStateAnswer>;
  };
  'POST /admin/conversations/{userId}/release': { answer: z.output<typeof conversationStateAnswer> };
  'POST /admin/conversations/{userId}/dismiss': {
    body: z.input<typeof dismissBody>;
    answer: z.output<typeof conversationStateAnswer>;
  };
  'DELETE /admin/conversations/{userId}/dismiss': { answer: z.output<typeof conversationStateAnswer> };
  'POST /admin/conversations/{userId}/snooze': {
    body: z.input<typeof snoozeBody>;
    answer: z.output<typeof conversationStateAnswer>;
  };
  'DELETE /admin/conversations/{userId}/snooze': { answer: z.output<typeof conversationStateAnswer> };

  'GET /admin/conversations/{userId}/notes': { answer: z.output<typeof notesAnswer> };
  'POST /admin/conversations/{userId}/notes': { body: z.input<typeof noteBody>; answer: z.output<typeof noteAnswer> };
  'GET /admin/notes/for-me': { answer: z.output<typeof notesForMeAnswer> };
  'POST /admin/conversations/{userId}/notes/seen': { answer: z.output<typeof doneAnswer> };
  'DELETE /admin/notes/{id}': { answer: z.output<typeof doneAnswer> };
  'GET /admin/conversations/{userId}/transcript': {
    query: Query<typeof transcriptQuery>;
    answer: z.output<typeof transcriptAnswer>;
  };

  'GET /office': { answer: z.output<typeof officeAnswer> };
  'GET /office/public': { answer: z.output<typeof publicOfficeAnswer> };
  'GET /admin/office-hours': { answer: z.output<typeof officeHoursAnswer> };
  'PUT /admin/office-hours': { body: z.input<typeof officeHoursBody>; answer: z.output<typeof officeHoursAnswer> };
  'GET /office-identity': { answer: z.output<typeof officeIdentityAnswer> };
  'GET /admin/office-identity': { answer: z.output<typeof officeIdentityAnswer> };
  'PUT /admin/office-identity': {
    body: z.input<typeof officeIdentityBody>;
    answer: z.output<typeof officeIdentityAnswer>;
  };
  'POST /admin/office-identity/logo': { body: never; form: true; answer: z.output<typeof officeIdentityAnswer> };
  'DELETE /admin/office-identity/logo': { answer: z.output<typeof officeIdentityAnswer> };
  'GET /admin/chat-statistics': {
    query: Query<typeof chatStatisticsQuery>;
    answer: z.output<typeof chatStatisticsAnswer>;
  };

  'GET /messages/search': { query: Query<typeof messageSearchQuery>; answer: z.output<typeof messageSearchAnswer> };
  'GET /admin/messages/search': {
    query: Query<typeof messageSearchQuery>;
    answer: z.output<typeof messageSearchAnswer>;
  };

  'GET /admin/audit': { query: Query<typeof auditQuery>; answer: z.output<typeof auditAnswer> };

  'GET /admin/first-steps': { answer: z.output<typeof firstStepsAnswer> };
  'PUT /admin/first-steps/{step}': {
    body: z.input<typeof firstStepBody>;
    answer: z.output<typeof firstStepsAnswer>;
  };

  'GET /admin/notices': { answer: z.output<typeof noticesAnswer> };
  'POST /admin/notices/{id}/seen': { answer: z.output<typeof doneAnswer> };

  'GET /admin/system': { answer: z.output<typeof systemAnswer> };
  'POST /admin/system/certificate/retry': { answer: z.output<typeof certificateRetryAnswer> };
  'GET /admin/backups': { answer: z.output<typeof backupsAnswer> };
  'POST /admin/backups': { answer: z.output<typeof backupsAnswer> };
  'POST /admin/backups/{name}/download': {
    body: z.input<typeof downloadBody>;
    answer: z.output<typeof downloadAnswer>;
  };
};
