import { areaCalls } from './calls/areas.ts';
import { auditCalls } from './calls/audit.ts';
import { authCalls } from './calls/auth.ts';
import { cardCalls } from './calls/cards.ts';
import type { Calls } from './calls/call.ts';
import { chatCalls } from './calls/chat.ts';
import { claimCalls } from './calls/claims.ts';
import { dhkpCalls } from './calls/dhkp.ts';
import { erasureCalls } from './calls/erasures.ts';
import { firstStepCalls } from './calls/first-steps.ts';
import { noticeCalls } from './calls/notices.ts';
import { ownDataCalls } from './calls/own-data.ts';
import { officeCalls } from './calls/office.ts';
import { pushCalls } from './calls/push.ts';
import { quickReplyCalls } from './calls/quick-replies.ts';
import { recoveryCalls } from './calls/recoveries.ts';
import { retentionCalls } from './calls/retention.ts';
import { reportCalls } from './calls/reports.ts';
import { secondFactorCalls } from './calls/second-factor.ts';
import { systemCalls } from './calls/system.ts';
import { adminRecordCalls, ownRecordCalls } from './calls/tax-records.ts';
import { userCalls } from './calls/users.ts';

/**
 * Every call of the REST API. Each row is served by the feature of its file; the client imports its type only, so that no
 * schema reaches the browser.
 */
export const calls = {
  ...authCalls,
  ...secondFactorCalls,
  ...ownDataCalls,
  ...officeCalls,
  ...chatCalls,
  ...pushCalls,
  ...quickReplyCalls,
  ...ownRecordCalls,
  ...adminRecordCalls,
  ...userCalls,
  ...recoveryCalls,
  ...cardCalls,
  ...erasureCalls,
  ...retentionCalls,
  ...dhkpCalls,
  ...claimCalls,
  ...areaCalls,
  ...auditCalls,
  ...noticeCalls,
  ...firstStepCalls,
  ...reportCalls,
  ...systemCalls,
} satisfies Calls;
