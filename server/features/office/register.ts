import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import type { UploadFiles } from '#server/uploads/upload-files.ts';
import { createImageFiles } from '#server/uploads/image-files.ts';
import { identityRoutes } from './identity/identity-routes.ts';
import { createIdentityService } from './identity/identity-service.ts';
import { publicIdentityRoutes } from './identity/public-routes.ts';
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
 * Adds the opening hours, the part of them that users see, the identity of the office, and the statistics of the chat.
 * @returns what the chat calls
 */
export async function registerOffice(app: FastifyInstance, { context, guards, uploads, crossOrigin }: OfficeDeps) {
  const office = createOfficeService(context, app.log);
  await app.register(officeRoutes(office, guards), { prefix: API_PREFIX });
  const identity = createIdentityService(context, createImageFiles(uploads));
  await app.register(identityRoutes(identity, guards), { prefix: API_PREFIX });
  publicIdentityRoutes(app, context, identity, crossOrigin);
  app.addHook('onListen', async () => office.start());
  app.addHook('preClose', async () => office.close());
  return { onWaitingChanged: () => office.waitingChanged(), onOpenYearsChanged: () => office.openYearsChanged() };
}
