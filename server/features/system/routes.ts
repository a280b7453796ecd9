import type { FastifyBaseLogger } from 'fastify';
import type { systemCalls } from '#shared/api/calls/system.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers, RouteOptions } from '#server/http/serve-calls.ts';
import type { BackupService } from './backup-service.ts';
import type { SystemService } from './service.ts';

/** Larger than the default of streams, because a backup can have gigabytes. */
const CHUNK_BYTES = 256 * 1024;

export const systemRouteOptions: RouteOptions<typeof systemCalls> = {
  'GET /admin/backup-files/{ticket}': {
    // The URL opens the file, so it must not be logged.
    logLevel: 'warn',
    // The archive is compressed already; compressing it again would only cost processor time.
    compress: false,
    // A HEAD request would read the whole file for nothing.
    exposeHeadRoute: false,
  },
};

type Services = { system: SystemService; backups: BackupService; log: Pick<FastifyBaseLogger, 'info'> };

/** The system page and the backups. */
export function systemRoutes({ system, backups, log }: Services): Handlers<typeof systemCalls> {
  return {
    'GET /admin/system': async () => presentSingle('Informasi sistem', await system.info()),
    'POST /admin/system/certificate/retry': () => presentSingle('Sertifikat sedang diminta', system.retryCertificate()),
    'GET /admin/backups': async () => presentSingle('Daftar cadangan', await backups.list()),
    'POST /admin/backups': async ({ currentUser }) =>
      presentSingle('Pencadangan dimulai', await backups.makeNow(currentUser)),
    'POST /admin/backups/{name}/download': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body.device_token, signal: callerSignal(reply) };
      const url = await backups.issueLink(currentUser, params.name, body.password, source);
      return presentSingle('Tautan unduhan siap', { url });
    },
    'GET /admin/backup-files/{ticket}': async ({ params, reply }) => {
      const { name, currentUser, file, sizeBytes } = await backups.openDownload(params.ticket);
      log.info({ userId: currentUser.id, backup: name }, 'backup downloaded');
      return reply
        .headers({
          'content-disposition': `attachment; filename="${name}"`,
          'content-length': sizeBytes,
          'x-content-type-options': 'nosniff',
          'cache-control': 'no-store',
        })
        .type('application/x-tar')
        .send(file.createReadStream({ highWaterMark: CHUNK_BYTES }));
    },
  };
}
