import type { FastifyInstance } from 'fastify';
import { officeCalls } from '#shared/api/calls/office.ts';
import type { OfficePeriod } from '#shared/domain/dates/dates.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import { createImageFiles } from '#server/uploads/image-files.ts';
import { createIdentityService } from './identity/identity-service.ts';
import { logoRoutes } from './identity/logo-routes.ts';
import { officeRoutes } from './routes.ts';
import { createOfficeService } from './service.ts';
import type { readChatStatistics, readMedianWait } from './statistics.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    chatStatistics: typeof readChatStatistics;
    officeMedian: typeof readMedianWait;
  }
}

type OfficeDeps = FeatureDeps & { uploads: UploadFiles; crossOrigin: boolean };

/**
 * Adds the opening hours, the part of them that users see, and the identity of the office.
 * @returns what other features need
 */
export function registerOffice(app: FastifyInstance, { context, guards, uploads, crossOrigin }: OfficeDeps) {
  const office = createOfficeService(context, app.log);
  const identity = createIdentityService(context, createImageFiles(uploads));
  serveCalls(app, guards, officeCalls, officeRoutes(office, identity));
  logoRoutes(app, context, identity, crossOrigin);
  // Before the first request: what is read later may be newer than what an answer said, and its event would be missing.
  app.addHook('onReady', async () => office.start());
  app.addHook('preClose', async () => office.close());
  return {
    onWaitingChanged: () => office.waitingChanged(),
    onOpenYearsChanged: () => office.openYearsChanged(),
    /** Reads how quickly the chat was answered, in opening hours. */
    readStatistics: (period: OfficePeriod, adminId: string) => office.statistics(period, adminId),
  };
}
