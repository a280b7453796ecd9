import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { officeRoutes } from './routes.ts';
import { createOfficeService } from './service.ts';
import type { readChatStatistics, readMedianWait } from './statistics.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    chatStatistics: typeof readChatStatistics;
    officeMedian: typeof readMedianWait;
  }
}

/** Adds the opening hours, what residents see of them, and the statistics of the chat. @returns what the chat calls */
export async function registerOffice(app: FastifyInstance, { context, guards }: FeatureDeps) {
  const office = createOfficeService(context, app.log);
  await app.register(officeRoutes(office, guards), { prefix: API_PREFIX });
  app.addHook('onListen', async () => office.start());
  app.addHook('preClose', async () => office.close());
  return { onWaitingChanged: () => office.waitingChanged() };
}
