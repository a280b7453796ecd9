import type { FastifyInstance } from 'fastify';
import { adminRecordCalls, ownRecordCalls } from '#shared/api/calls/tax-records.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps, ServiceContext } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { FindUpload } from '#server/uploads/upload-routes.ts';
import { adminRecordRoutes } from './admin-routes.ts';
import { createAdoption } from './assessments/adopt-service.ts';
import { createLinkedRecords } from './assessments/linked-records.ts';
import { createBulkEdits } from './bulk-edits.ts';
import { registerRecordIndexer } from './lists/record-indexer.ts';
import { createRecordLists } from './lists/list-service.ts';
import { ownRecordRoutes } from './own-routes.ts';
import { createImageFiles } from '#server/uploads/image-files.ts';
import {
  createFilingQueue,
  createProofFromMessage,
  type FindSentImage,
  type StoreProofCopy,
} from './from-message/from-message-service.ts';
import { adminScope, ownScope } from './changes/record-scopes.ts';
import { measureProofs, quotaUseOf } from './quota/quota.ts';
import { findProofOwner } from './queries.ts';
import { createRolloverService } from './rollover/rollover-service.ts';
import { createPresentOne, type EncodeHistory } from './routes.ts';
import { createRecordService } from './service.ts';
import { createRecordSettings } from './settings/settings-service.ts';
import { createStatisticsService } from './statistics/statistics-service.ts';
import type { StoreNotice } from './changes/notices.ts';
import { createVerificationService } from './checks/verification-service.ts';
import type { encodeAdminRecordsAnswer, encodeOwnRecordsAnswer } from './lists/list-answers.ts';
import type { readAdminStatistics, readOwnStatistics } from './statistics/statistics-queries.ts';
import type { encodeVerificationsAnswer } from './checks/verification-answers.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    adminRecords: typeof encodeAdminRecordsAnswer;
    ownRecords: typeof encodeOwnRecordsAnswer;
    adminStatistics: typeof readAdminStatistics;
    ownStatistics: typeof readOwnStatistics;
    verifications: typeof encodeVerificationsAnswer;
  }
}

/** The proofs among the uploads: for their owner and for admins (R-PROOF-6). */
export function createProofSource({ orm }: Pick<ServiceContext, 'orm'>): FindUpload {
  return async (file) => {
    const ownerId = await findProofOwner(orm, file);
    return ownerId === null ? null : { mayOpen: (user) => user.isAdmin || user.id === ownerId, name: null };
  };
}

type RecordDeps = FeatureDeps & {
  uploads: UploadFiles;
  links: UploadLinks;
  /** The chat tells the owner what was done with a record. */
  storeNotice: StoreNotice;
  findSentImage: FindSentImage;
  storeProofCopy: StoreProofCopy;
  /** The office tells users which years are open. */
  onOpenYearsChanged: () => Promise<void>;
  encodeHistory: EncodeHistory;
};

/** Adds records, statistics and the rollover. @returns what other features need */
export function registerTaxRecords(
  app: FastifyInstance,
  { context, guards, uploads, links, storeNotice, encodeHistory, ...deps }: RecordDeps,
) {
  const files = createImageFiles(uploads);
  const recordDeps = { proofs: files, storeNotice };
  const { findSentImage, storeProofCopy } = deps;
  const fromMessage = { proofs: files, findSentImage, storeProofCopy, storeNotice, inTurn: createFilingQueue() };
  const statistics = createStatisticsService(context);
  const readQuotaUse = (userId: string) => quotaUseOf(context, userId);
  const presentOne = createPresentOne(context, links);
  const shared = { lists: createRecordLists(context), presentOne, statistics, encodeHistory };
  const ownRecords = ownRecordRoutes({
    ...shared,
    records: createRecordService(context, recordDeps, ownScope(context)),
    proofsFromMessages: createProofFromMessage(context, fromMessage, ownScope(context)),
    adoption: createAdoption(context, ownScope(context)),
    rollover: createRolloverService(context),
    quotaUseOf: readQuotaUse,
  });
  const allRecords = adminRecordRoutes({
    ...shared,
    records: createRecordService(context, recordDeps, adminScope(context)),
    proofsFromMessages: createProofFromMessage(context, fromMessage, adminScope(context)),
    adoption: createAdoption(context, adminScope(context)),
    bulk: createBulkEdits(context, storeNotice),
    verifications: createVerificationService(context, storeNotice),
    settings: createRecordSettings(context, deps.onOpenYearsChanged),
  });
  serveCalls(app, guards, ownRecordCalls, ownRecords);
  serveCalls(app, guards, adminRecordCalls, allRecords);
  registerRecordIndexer(app, context);
  // A disk that is full must not stop the start; the next one measures what is left.
  app.addHook('onReady', () =>
    measureProofs(context).catch((error: unknown) => app.log.warn({ err: error }, 'proofs not measured')),
  );
  const linkedRecords = createLinkedRecords(context);
  return { statisticsOf: statistics.ownStatistics, quotaUseOf: readQuotaUse, linkedRecords };
}
