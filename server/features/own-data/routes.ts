import type { FastifyInstance } from 'fastify';
import { ownDataCalls } from '#shared/api/calls/own-data.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { describeDownload } from '#server/http/answers/content-disposition.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { runWhenLeading } from '#server/http/listen/after-listen.ts';
import { type RouteOptions, serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createConsentService } from './consent-service.ts';
import { createExportService, type ExportDeps } from './export-service.ts';

const SWEEP_EVERY_MS = 10 * MINUTE_MS;

const routeOptions: RouteOptions<typeof ownDataCalls> = {
  'GET /auth/export-files/{ticket}': {
    // The URL opens the file, so it must not be logged.
    logLevel: 'warn',
    compress: false,
    // A HEAD request would read the whole file for nothing.
    exposeHeadRoute: false,
  },
};

/**
 * Adds the copy of the own data, and the consents to the legal texts.
 * @returns what other features need
 */
export function registerOwnData(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & Omit<ExportDeps, 'log'>,
) {
  const exports = createExportService(context, { ...deps, log: app.log });
  const consents = createConsentService(context);
  serveCalls(
    app,
    guards,
    ownDataCalls,
    {
      'POST /auth/export': async ({ currentUser, body, request, reply }) => {
        const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
        const started = await exports.start(currentUser, { secret: body ?? {}, source });
        return presentSingle('Salinan data Anda sedang dibuat', started);
      },
      'GET /auth/export': async ({ currentUser }) =>
        presentSingle('Salinan data sendiri', await exports.read(currentUser)),
      'GET /auth/export-files/{ticket}': async ({ params, reply }) => {
        const { fileName, sizeBytes, content } = await exports.open(params.ticket);
        return reply
          .headers({
            'content-disposition': describeDownload(fileName),
            'content-length': sizeBytes,
            'x-content-type-options': 'nosniff',
            'cache-control': 'no-store',
          })
          .type('application/zip')
          .send(content);
      },
      'POST /auth/consents': async ({ currentUser, body }) => {
        await consents.accept(currentUser, body);
        return presentSingle('Persetujuan Anda disimpan', {});
      },
    },
    routeOptions,
  );
  let timer: NodeJS.Timeout | undefined;
  const sweepAndLog = (): void =>
    void exports.sweep().catch((error: unknown) => app.log.error({ err: error }, 'old copies were not removed'));
  app.addHook('onReady', async () => exports.recover());
  runWhenLeading(app, context.processes, exports.failLeft, 'copies that were broken off were not marked');
  app.addHook('onListen', async () => {
    timer = setInterval(sweepAndLog, SWEEP_EVERY_MS);
    timer.unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await exports.close();
  });
  return { dropExport: (userId: string): Promise<void> => exports.drop(userId) };
}
