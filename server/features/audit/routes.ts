import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { auditAnswer, auditPageQuery, auditQuery } from '#shared/api/audit.ts';
import { idParams } from '#shared/api/envelope.ts';
import { presentList } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { presentEntry } from './present.ts';
import type { AuditPage, AuditService } from './service.ts';

const tags = ['Riwayat perubahan'];

const presentPage = ({ rows, total, perPage, page }: AuditPage) =>
  presentList('Riwayat perubahan', rows.map(presentEntry), total, perPage, page);

/** Reads the audit. Entries are written inside the changes that they describe (`server/audit-log.ts`). */
export function auditRoutes(audit: AuditService, { requireAdmin, requireSession }: SessionGuards) {
  const recordSchema = { params: idParams, querystring: auditPageQuery, response: { 200: auditAnswer } };

  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/audit',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Siapa mengubah apa, terbaru lebih dulu',
          description: 'search mencari di nama pelaku dan di keterangan data atau user yang diubah.',
          querystring: auditQuery,
          response: { 200: auditAnswer },
        },
      },
      async (request) => presentPage(await audit.list(request.query)),
    );
    app.get(
      '/admin/tax-records/:id/history',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Riwayat satu data pajak',
          description: 'Tetap ada setelah datanya dihapus.',
          ...recordSchema,
        },
      },
      async ({ params, query }) => presentPage(await audit.listOfRecord(params.id, query)),
    );
    app.get(
      '/tax-records/:id/history',
      { onRequest: requireSession, schema: { tags, summary: 'Riwayat satu data PBB sendiri', ...recordSchema } },
      async (request) =>
        presentPage(await audit.listOfOwnRecord(requireCurrentUser(request), request.params.id, request.query)),
    );
  };
  return plugin;
}
