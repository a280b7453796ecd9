import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer } from '#shared/api/envelope.ts';
import {
  adminCreateRecordBody,
  adminRecordsQuery,
  adminUpdateRecordBody,
  recordAnswer,
  recordParams,
  recordsAnswer,
} from '#shared/api/tax-records.ts';
import { createFormParser } from '#server/http/multipart-form.ts';
import { presentSingle, sendJson } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session.ts';
import type { AdminRecordService } from './admin-service.ts';
import {
  adminEditForm,
  createForm,
  editFormDescription,
  formDescription,
  formContentTypes,
  PROOF_FIELD,
  proofBody,
  proofForm,
} from './form-shape.ts';
import { presentRecord } from './present.ts';
import type { ProofLinks } from './proofs/proof-links.ts';
import type { OwnedRecord } from './queries.ts';

const tags = ['Data pajak (admin)'];

/** Everybody's records, under /admin/tax-records. */
export function adminRecordRoutes(records: AdminRecordService, links: ProofLinks, { requireAdmin }: SessionGuards) {
  const presentOne = (request: FastifyRequest, message: string, row: OwnedRecord) =>
    presentSingle(message, presentRecord(row, links.forSession(requireCurrentUser(request).sessionId)));

  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/tax-records',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Data pajak semua warga',
          description:
            'search mencari di nama, alamat, nomor SPT, dan nama pemilik. sort: created_at, amount, year, name, due_date; tanda - di depan untuk urutan menurun.',
          querystring: adminRecordsQuery,
          response: { 200: recordsAnswer },
        },
      },
      async (request, reply) => {
        const answer = await records.list(requireCurrentUser(request), request.query);
        return sendJson(reply, answer);
      },
    );
    app.get(
      '/admin/tax-records/:id',
      {
        onRequest: requireAdmin,
        schema: { tags, summary: 'Satu data pajak', params: recordParams, response: { 200: recordAnswer } },
      },
      async (request) => presentOne(request, 'Data pajak', records.requireRecord(request.params.id)),
    );
    app.post(
      '/admin/tax-records',
      {
        onRequest: requireAdmin,
        preValidation: createFormParser(createForm),
        schema: {
          tags,
          summary: 'Menambah data pajak untuk seorang warga',
          description: `${formDescription} Tanpa year: tahun ini.`,
          consumes: formContentTypes,
          body: adminCreateRecordBody,
          response: { 201: recordAnswer },
        },
      },
      async (request, reply) => {
        const row = await records.create(requireCurrentUser(request), request.body, request.formFiles.get(PROOF_FIELD));
        return reply.code(201).send(presentOne(request, 'Data pajak berhasil ditambahkan', row));
      },
    );
    app.put(
      '/admin/tax-records/:id',
      {
        onRequest: requireAdmin,
        preValidation: createFormParser(adminEditForm),
        schema: {
          tags,
          summary: 'Mengubah data pajak',
          description: editFormDescription,
          consumes: formContentTypes,
          params: recordParams,
          body: adminUpdateRecordBody,
          response: { 200: recordAnswer },
        },
      },
      async (request) => {
        const { params, body, formFiles } = request;
        const row = await records.update(requireCurrentUser(request), params.id, body, formFiles.get(PROOF_FIELD));
        return presentOne(request, 'Data pajak berhasil diperbarui', row);
      },
    );
    app.post(
      '/admin/tax-records/:id/payment-proof',
      {
        onRequest: requireAdmin,
        preValidation: createFormParser(proofForm),
        schema: {
          tags,
          summary: 'Mengunggah bukti pembayaran seorang warga',
          description: 'multipart/form-data dengan gambar di payment_proof; menggantikan gambar yang lama.',
          consumes: ['multipart/form-data'],
          params: recordParams,
          body: proofBody,
          response: { 200: recordAnswer },
        },
      },
      async (request) => {
        const { params, formFiles } = request;
        const row = await records.attachProof(requireCurrentUser(request), params.id, formFiles.get(PROOF_FIELD));
        return presentOne(request, 'Bukti pembayaran berhasil diunggah', row);
      },
    );
    app.delete(
      '/admin/tax-records/:id',
      {
        onRequest: requireAdmin,
        schema: { tags, summary: 'Menghapus data pajak', params: recordParams, response: { 200: doneAnswer } },
      },
      async (request) => {
        await records.remove(requireCurrentUser(request), request.params.id);
        return presentSingle('Data pajak berhasil dihapus', {});
      },
    );
  };
  return plugin;
}
