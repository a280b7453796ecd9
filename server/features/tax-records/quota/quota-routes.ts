import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { type QuotaUse, quotaAnswer, recordParams } from '#shared/api/tax-records.ts';
import { errorTexts } from '#shared/texts.ts';
import { notFound } from '#server/http/errors.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { findOwner } from '../queries.ts';
import { readQuotaUse } from './quota-queries.ts';

/** What an account may store and has stored, so that a form can say it before an upload (R-REC-28). */
export function quotaRoutes({ orm, quota }: ServiceContext, { requireSession, requireAdmin }: SessionGuards) {
  const readUse = (userId: string): QuotaUse => {
    const { records, proofBytes } = readQuotaUse(orm, userId);
    return {
      records,
      records_max: quota.records,
      proof_bytes: proofBytes,
      proof_bytes_max: quota.proofBytes,
    };
  };

  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records/quota',
      {
        onRequest: requireSession,
        schema: {
          tags: ['Data PBB'],
          summary: 'Batas data PBB dan foto bukti sendiri',
          response: { 200: quotaAnswer },
        },
      },
      async (request) => presentSingle('Batas data PBB', readUse(requireCurrentUser(request).id)),
    );
    app.get(
      '/admin/users/:id/quota',
      {
        onRequest: requireAdmin,
        schema: {
          tags: ['Kelola user (administrator)'],
          summary: 'Batas data PBB dan foto bukti seorang pengguna',
          params: recordParams,
          response: { 200: quotaAnswer },
        },
      },
      async ({ params }) => {
        if (!findOwner(orm, params.id)) throw notFound(errorTexts.userMissing);
        return presentSingle('Batas data PBB', readUse(params.id));
      },
    );
  };
  return plugin;
}
