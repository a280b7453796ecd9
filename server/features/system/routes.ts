import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { systemCalls } from '#shared/api/calls/system.ts';
import { errorTexts } from '#shared/texts.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { AppError } from '#server/http/errors.ts';
import { type Handlers, type RouteOptions, serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps, ServiceContext } from '#server/service-context.ts';
import { type BackupServiceDeps, createBackupService } from './backup-service.ts';
import { canReadDatabase } from './queries.ts';
import { createSystemService, type SystemServiceDeps } from './service.ts';

const routeOptions: RouteOptions<typeof systemCalls> = {
  'GET /admin/backup-files/{ticket}': {
    // The URL opens the file, so it must not be logged.
    logLevel: 'warn',
    // The archive is compressed already; compressing it again would only cost processor time.
    compress: false,
    // A HEAD request would read the whole file for nothing.
    exposeHeadRoute: false,
  },
};

type SystemDeps = FeatureDeps & SystemServiceDeps & Omit<BackupServiceDeps, 'log'>;

/** Adds the health check, the system page and the download of backups. */
export function registerSystem(app: FastifyInstance, { context, guards, ...deps }: SystemDeps): void {
  serveHealth(app, context);
  serveReadiness(app, context, deps.takesWrites);
  const system = createSystemService(context, deps);
  const backups = createBackupService(context, { ...deps, log: app.log });
  const handlers: Handlers<typeof systemCalls> = {
    'GET /admin/system': async () => presentSingle('Informasi sistem', await system.info()),
    'POST /admin/system/certificate/retry': () => presentSingle('Sertifikat sedang diminta', system.retryCertificate()),
    'GET /admin/backups': async () => presentSingle('Daftar cadangan', await backups.list()),
    'POST /admin/backups': async ({ currentUser }) =>
      presentSingle('Pencadangan dimulai', await backups.makeNow(currentUser)),
    'POST /admin/backups/running-copy': async ({ currentUser }) =>
      presentSingle('Salinan berjalan baru dimulai', await backups.startRunningCopy(currentUser)),
    'POST /admin/backups/{name}/download': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body.device_token, signal: callerSignal(reply) };
      const url = await backups.issueLink(currentUser, params.name, body.password, source);
      return presentSingle('Tautan unduhan siap', { url });
    },
    'GET /admin/backup-files/{ticket}': async ({ params, reply }) => {
      const { fileName, currentUser, content, sizeBytes } = await backups.openDownload(params.ticket);
      app.log.info({ userId: currentUser.id, backup: fileName }, 'backup downloaded');
      return reply
        .headers({
          'content-disposition': `attachment; filename="${fileName}"`,
          'content-length': sizeBytes,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        })
        .type('application/x-tar')
        .send(content);
    },
  };
  serveCalls(app, guards, systemCalls, handlers, routeOptions);
}

/** `/healthz` answers 200 only while the database answers (R-RUN-8). */
function serveHealth(app: FastifyInstance, { orm }: Pick<ServiceContext, 'orm'>): void {
  const schema = {
    tags: ['Sistem'],
    summary: 'Apakah server dan databasenya bekerja',
    security: [],
    response: { 200: z.object({ status: z.literal('ok') }) },
  };
  app.get('/healthz', { schema, logLevel: 'warn' }, async (_request, reply) => {
    if (!(await canReadDatabase(orm))) throw new AppError(503, errorTexts.busy);
    return reply.header('cache-control', 'no-store').send({ status: 'ok' });
  });
}

/**
 * For a balancer: `/readyz` answers 200 only while the database takes writes, so that no call goes to where it would fail. A
 * process that has lost the folder of files leaves the calls to those that have it; without any of them the chat goes on.
 */
function serveReadiness(
  app: FastifyInstance,
  { orm, filesFolder }: Pick<ServiceContext, 'orm' | 'filesFolder'>,
  takesWrites: SystemDeps['takesWrites'],
): void {
  const schema = {
    tags: ['Sistem'],
    summary: 'Apakah server menerima perubahan',
    security: [],
    response: {
      200: z.object({ status: z.literal('ok') }),
      503: z.object({ status: z.enum(['read-only', 'down', 'no-files']) }),
    },
  };
  app.get('/readyz', { schema, logLevel: 'warn' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    // Side by side, because each waits for a silent host.
    const reading = canReadDatabase(orm).catch(() => false);
    const filesElsewhere = filesFolder?.isElsewhere() ?? false;
    if (await takesWrites())
      return (await filesElsewhere) ? reply.code(503).send({ status: 'no-files' }) : reply.send({ status: 'ok' });
    return reply.code(503).send({ status: (await reading) ? 'read-only' : 'down' });
  });
}
