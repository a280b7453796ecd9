import type { FastifyInstance } from 'fastify';
import { claimCalls } from '#shared/api/calls/claims.ts';
import { dhkpCalls } from '#shared/api/calls/dhkp.ts';
import { runWhenLeading } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import { alone } from '#server/process/processes.ts';
import type { LinkedRecords } from '#server/records/linked-records.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { readUsedRows } from './batches/apply-queries.ts';
import { createApplying } from './batches/applying.ts';
import { isReverting } from './batches/batch-queries.ts';
import { createBatchReading } from './batches/batch-reading.ts';
import { createBatchService } from './batches/batch-service.ts';
import type { ReadSentFiles } from './claims/claim-answers.ts';
import { createClaimService, type StoreClaimNotice } from './claims/claim-service.ts';
import { claimRoutes } from './claims/routes.ts';
import { createLinkService } from './linking/link-service.ts';
import type { encodeMatchesAnswer } from './linking/match-answers.ts';
import { createMatchService } from './linking/match-service.ts';
import { createPreviews } from './batches/preview.ts';
import { createDhkpEvents } from './batches/progress.ts';
import type { encodeAssessmentsAnswer } from './list/list-answers.ts';
import type { readAssessmentIds } from './list/list-queries.ts';
import { createListService } from './list/list-service.ts';
import type { ListReader } from './reading/list-reader.ts';
import { dhkpRoutes } from './routes.ts';
import { listYears, type readFoundBlocks } from './settings/settings-queries.ts';
import { createDhkpSettings } from './settings/settings-service.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    dhkpList: typeof encodeAssessmentsAnswer;
    dhkpIds: typeof readAssessmentIds;
    dhkpBlocks: typeof readFoundBlocks;
    dhkpUsedRows: typeof readUsedRows;
    dhkpMatches: typeof encodeMatchesAnswer;
  }
}

type DhkpDeps = FeatureDeps & {
  uploads: UploadFiles;
  listReader: ListReader;
  /** Makes and joins the records of linked objects. */
  linkedRecords: LinkedRecords;
  links: UploadLinks;
  /** The chat tells users what became of their requests, and keeps the files that come with them. */
  storeNotice: StoreClaimNotice;
  readSentFiles: ReadSentFiles;
};

/** Adds the office's own list and its imports. @returns what other features need */
export function registerDhkp(app: FastifyInstance, { context, guards, uploads, listReader, ...deps }: DhkpDeps) {
  const { orm, publish } = context;
  const { linkedRecords } = deps;
  const events = createDhkpEvents(publish);
  const previews = createPreviews(context);
  const reading = createBatchReading(context, {
    uploads,
    reader: listReader,
    previews,
    report: events.report,
    log: app.log,
  });
  const batches = createBatchService(context, { uploads, previews, reading, events });
  const applying = createApplying(context, { uploads, previews, events, linkedRecords, log: app.log });
  const list = createListService(context, { isReverting, listChanged: events.listChanged });

  /** Another area or another limit of a book changes what each year shows. */
  async function onListsChanged(): Promise<void> {
    for (const year of await listYears(orm)) events.listChanged(year);
  }

  const settings = createDhkpSettings(context, onListsChanged);
  const links = createLinkService(context, { isReverting, listChanged: events.listChanged, linkedRecords });
  const matches = createMatchService(context);
  const claims = createClaimService(context, links, deps.storeNotice);
  serveCalls(app, guards, dhkpCalls, dhkpRoutes(context, { batches, applying, list, links, matches, settings }));
  serveCalls(
    app,
    guards,
    claimCalls,
    claimRoutes(context, { claims, links: deps.links, readSentFiles: deps.readSentFiles }),
  );
  app.addHook('onReady', async () => {
    // Of several processes others may work on it; what they do is known after the start only.
    if (context.processes === alone) await applying.resume();
  });
  async function resumeLeft(mayContinue: () => boolean): Promise<void> {
    await applying.takeOver();
    for (const previewId of await previews.listLeft()) await previews.discard(previewId, mayContinue);
    if (mayContinue()) await batches.resumeReading();
  }
  runWhenLeading(app, context.processes, resumeLeft, 'imports that were broken off did not go on');
  app.addHook('preClose', async () => {
    await Promise.all([reading.close(), applying.close()]);
    events.close();
  });
  return { onListsChanged, objectLinks: links };
}
