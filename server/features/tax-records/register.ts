import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { FeatureDeps, ServiceContext } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { FindUpload } from '#server/uploads/upload-routes.ts';
import { adminRecordRoutes } from './admin-routes.ts';
import { createBulkEdits } from './bulk-edits.ts';
import { createRecordLists } from './lists/list-service.ts';
import { ownRecordRoutes } from './own-routes.ts';
import { createImageFiles } from '#server/uploads/image-files.ts';
import { fromMessageRoutes } from './from-message/from-message-routes.ts';
import {
  createFilingQueue,
  createProofFromMessage,
  type FindSentImage,
  type StoreProofCopy,
} from './from-message/from-message-service.ts';
import { adminScope, ownScope } from './changes/record-scopes.ts';
import { measureProofs } from './quota/quota.ts';
import { quotaRoutes } from './quota/quota-routes.ts';
import { findProofOwner } from './queries.ts';
import { rolloverRoutes } from './rollover/rollover-routes.ts';
import { createRolloverService } from './rollover/rollover-service.ts';
import { createRecordService } from './service.ts';
import { recordSettingsRoutes } from './settings/settings-routes.ts';
import { createRecordSettings } from './settings/settings-service.ts';
import { statisticsRoutes } from './statistics/statistics-routes.ts';
import { createStatisticsService } from './statistics/statistics-service.ts';
import type { StoreNotice } from './changes/notices.ts';
import { verificationRoutes } from './checks/verification-routes.ts';
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
  return (file) => {
    const ownerId = findProofOwner(orm, file);
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
  onOpenYearsChanged: () => void;
};

/** Adds records, statistics and the rollover. @returns what other features need */
export async function registerTaxRecords(
  app: FastifyInstance,
  { context, guards, uploads, links, storeNotice, findSentImage, storeProofCopy, onOpenYearsChanged }: RecordDeps,
) {
  const files = createImageFiles(uploads);
  const lists = createRecordLists(context);
  const recordDeps = { proofs: files, storeNotice };
  const records = createRecordService(context, recordDeps, ownScope(context));
  const allRecords = createRecordService(context, recordDeps, adminScope(context));
  const bulk = createBulkEdits(context, storeNotice);
  await app.register(ownRecordRoutes({ lists, records, links }, guards), { prefix: API_PREFIX });
  await app.register(adminRecordRoutes({ lists, records: allRecords, bulk, links }, guards), { prefix: API_PREFIX });
  const inTurn = createFilingQueue();
  const fromMessage = { proofs: files, findSentImage, storeProofCopy, storeNotice, inTurn };
  const own = createProofFromMessage(context, fromMessage, ownScope(context));
  const all = createProofFromMessage(context, fromMessage, adminScope(context));
  await app.register(fromMessageRoutes({ own, all, links }, guards), { prefix: API_PREFIX });
  const verifications = createVerificationService(context, storeNotice);
  await app.register(verificationRoutes(verifications, links, guards), { prefix: API_PREFIX });
  await app.register(statisticsRoutes(createStatisticsService(context), guards), { prefix: API_PREFIX });
  await app.register(quotaRoutes(context, guards), { prefix: API_PREFIX });
  // A disk that is full must not stop the start; the next one measures what is left.
  app.addHook('onReady', () =>
    measureProofs(context).catch((error: unknown) => app.log.warn({ err: error }, 'proofs not measured')),
  );
  await app.register(rolloverRoutes(createRolloverService(context), guards), { prefix: API_PREFIX });
  await app.register(recordSettingsRoutes(createRecordSettings(context, onOpenYearsChanged), guards), {
    prefix: API_PREFIX,
  });
  return {
    /** @throws 404 when the record is missing or another user's */
    requireOwnRecord: (currentUser: CurrentUser, id: string) => records.requireRecord(currentUser, id),
  };
}
