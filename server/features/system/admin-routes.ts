import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  backupParams,
  backupsAnswer,
  certificateRetryAnswer,
  downloadAnswer,
  downloadBody,
  systemAnswer,
  systemTexts,
  ticketParams,
} from '#shared/api/system.ts';
import { callerSignal } from '#server/http/caller-signal.ts';
import { errorTexts } from '#shared/texts.ts';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { BackupService } from './backup-service.ts';
import type { SystemService } from './service.ts';

const tags = ['Sistem'];
/** Larger than the default of streams, because a backup can have gigabytes. */
const CHUNK_BYTES = 256 * 1024;

/** The system page and the backups, for admins. */
export function adminSystemRoutes(system: SystemService, backups: BackupService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/system',
      {
        onRequest: requireAdmin,
        schema: { tags, summary: 'Informasi sistem', response: { 200: systemAnswer } },
      },
      async () => presentSingle('Informasi sistem', await system.info()),
    );
    app.post(
      '/admin/system/certificate/retry',
      {
        onRequest: requireAdmin,
        config: { errors: { 409: systemTexts.certificateFine, 429: systemTexts.certificateTooEarly(40) } },
        schema: {
          tags,
          summary: 'Meminta sertifikat alamat publik lagi sekarang, setelah gagal',
          description:
            'Tidak menunggu hasilnya: selama certificate.issuing bernilai true, GET /api/admin/system dibaca lagi. Dihitung dalam lima permintaan sejam.',
          response: { 200: certificateRetryAnswer },
        },
      },
      async () => presentSingle('Sertifikat sedang diminta', system.retryCertificate()),
    );
    app.get(
      '/admin/backups',
      {
        onRequest: requireAdmin,
        schema: { tags, summary: 'Daftar cadangan, terbaru lebih dulu', response: { 200: backupsAnswer } },
      },
      async () => presentSingle('Daftar cadangan', await backups.list()),
    );
    app.post(
      '/admin/backups',
      {
        onRequest: requireAdmin,
        config: { errors: { 409: systemTexts.backupRunning } },
        schema: {
          tags,
          summary: 'Mencadangkan sekarang',
          description: 'Tidak menunggu sampai selesai; kemajuannya ada di status.running.',
          response: { 200: backupsAnswer },
        },
      },
      async (request) => presentSingle('Pencadangan dimulai', await backups.makeNow(requireCurrentUser(request))),
    );
    app.post(
      '/admin/backups/:name/download',
      {
        onRequest: requireAdmin,
        config: {
          errors: {
            404: systemTexts.backupMissing,
            422: systemTexts.passwordWrong,
            429: errorTexts.rateLimited(900),
          },
        },
        schema: {
          tags,
          summary: 'Meminta tautan unduhan sebuah cadangan',
          description: 'Memerlukan password sendiri. Tautannya berlaku sepuluh menit, untuk sesi ini saja.',
          params: backupParams,
          body: downloadBody,
          response: { 200: downloadAnswer },
        },
      },
      async (request, reply) => {
        const { params, body, ip: address } = request;
        const source = { address, deviceToken: body.device_token, signal: callerSignal(reply) };
        const url = await backups.issueLink(requireCurrentUser(request), params.name, body.password, source);
        return presentSingle('Tautan unduhan siap', { url });
      },
    );
    app.get(
      '/admin/backup-files/:ticket',
      {
        // The URL opens the file, so it must not be logged.
        logLevel: 'warn',
        // The archive is compressed already; compressing it again would only cost processor time.
        compress: false,
        // A HEAD request would read the whole file for nothing.
        exposeHeadRoute: false,
        schema: {
          tags,
          summary: 'Mengunduh sebuah cadangan',
          description: 'Alamatnya diminta dengan password; tidak memerlukan header.',
          security: [],
          params: ticketParams,
          response: { 200: contentAnswer('application/x-tar') },
        },
      },
      async (request, reply) => {
        const { name, currentUser, file, sizeBytes } = await backups.openDownload(request.params.ticket);
        app.log.info({ userId: currentUser.id, backup: name }, 'backup downloaded');
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
    );
  };
  return plugin;
}
