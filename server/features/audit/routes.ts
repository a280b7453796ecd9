import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { auditAnswer, auditPageQuery, auditQuery } from '#shared/api/audit.ts';
import { idParams } from '#shared/api/envelope.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { AuditService } from './service.ts';

const tags = ['Riwayat perubahan'];

/** Reads the audit. Entries are written inside the changes that they describe (`server/audit/audit-log.ts`). */
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
          description:
            'search mencari di nama pelaku dan di keterangan data atau user yang diubah. from, to: yyyy-mm-dd, batasnya ikut terhitung.',
          querystring: auditQuery,
          response: { 200: auditAnswer },
        },
      },
      async (request, reply) => sendEncoded(reply, await audit.encodeList(request.query, listCallerOf(request, reply))),
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
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await audit.encodeOfRecord(request.params.id, request.query, caller));
      },
    );
    app.get(
      '/tax-records/:id/history',
      { onRequest: requireSession, schema: { tags, summary: 'Riwayat satu data PBB sendiri', ...recordSchema } },
      async (request, reply) => {
        const { params, query } = request;
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await audit.encodeOfOwnRecord(requireCurrentUser(request), params.id, query, caller));
      },
    );
  };
  return plugin;
}
