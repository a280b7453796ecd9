import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { doneAnswer } from '#shared/api/envelope.ts';
import {
  createRecordBody,
  ownRecordsQuery,
  recordAnswer,
  recordParams,
  recordsAnswer,
  updateRecordBody,
  yearParams,
} from '#shared/api/tax-records.ts';
import { createFormParser } from '#server/http/multipart-form.ts';
import { presentList, presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session.ts';
import {
  createForm,
  editForm,
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
import type { RecordPage, RecordService } from './service.ts';

const tags = ['Data PBB'];

/** A resident's own records, under /tax-records. */
export function recordRoutes(records: RecordService, links: ProofLinks, { requireSession }: SessionGuards) {
  const presentOne = (request: FastifyRequest, message: string, row: OwnedRecord) =>
    presentSingle(message, presentRecord(row, links.forSession(requireCurrentUser(request).sessionId)));
  const presentPage = (request: FastifyRequest, message: string, { rows, total, perPage, page }: RecordPage) => {
    const linkFor = links.forSession(requireCurrentUser(request).sessionId);
    return presentList(
      message,
      rows.map((row) => presentRecord(row, linkFor)),
      total,
      perPage,
      page,
    );
  };
  const listSchema = { tags, querystring: ownRecordsQuery, response: { 200: recordsAnswer } };

  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records',
      { onRequest: requireSession, schema: { ...listSchema, summary: 'Data PBB sendiri, terbaru lebih dulu' } },
      async (request) =>
        presentPage(request, 'Daftar data PBB', records.list(requireCurrentUser(request), request.query)),
    );
    app.get(
      '/tax-records/outstanding',
      { onRequest: requireSession, schema: { ...listSchema, summary: 'Tunggakan sendiri' } },
      async (request) =>
        presentPage(
          request,
          'Daftar tunggakan PBB',
          records.listOutstanding(requireCurrentUser(request), request.query),
        ),
    );
    app.get(
      '/tax-records/year/:year',
      {
        onRequest: requireSession,
        schema: { ...listSchema, summary: 'Data PBB sendiri dari satu tahun', params: yearParams },
      },
      async (request) => {
        const { year } = request.params;
        const page = records.listOfYear(requireCurrentUser(request), year, request.query);
        return presentPage(request, `Daftar data PBB tahun ${year}`, page);
      },
    );
    app.get(
      '/tax-records/:id',
      {
        onRequest: requireSession,
        schema: { tags, summary: 'Satu data PBB sendiri', params: recordParams, response: { 200: recordAnswer } },
      },
      async (request) =>
        presentOne(request, 'Data PBB', records.requireRecord(requireCurrentUser(request), request.params.id)),
    );
    app.post(
      '/tax-records',
      {
        onRequest: requireSession,
        preValidation: createFormParser(createForm),
        schema: {
          tags,
          summary: 'Menambah data PBB',
          description: `${formDescription} Tahun selalu 2025 dan jenis pajak selalu PBB.`,
          consumes: formContentTypes,
          body: createRecordBody,
          response: { 201: recordAnswer },
        },
      },
      async (request, reply) => {
        const row = await records.create(requireCurrentUser(request), request.body, request.formFiles.get(PROOF_FIELD));
        return reply.code(201).send(presentOne(request, 'Data PBB berhasil ditambahkan!', row));
      },
    );
    app.put(
      '/tax-records/:id',
      {
        onRequest: requireSession,
        preValidation: createFormParser(editForm),
        schema: {
          tags,
          summary: 'Mengubah data PBB',
          description: editFormDescription,
          consumes: formContentTypes,
          params: recordParams,
          body: updateRecordBody,
          response: { 200: recordAnswer },
        },
      },
      async (request) => {
        const { params, body, formFiles } = request;
        const row = await records.update(requireCurrentUser(request), params.id, body, formFiles.get(PROOF_FIELD));
        return presentOne(request, 'Data PBB berhasil diperbarui', row);
      },
    );
    app.post(
      '/tax-records/:id/payment-proof',
      {
        onRequest: requireSession,
        preValidation: createFormParser(proofForm),
        schema: {
          tags,
          summary: 'Mengunggah bukti pembayaran',
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
      '/tax-records/:id',
      {
        onRequest: requireSession,
        schema: { tags, summary: 'Menghapus data PBB', params: recordParams, response: { 200: doneAnswer } },
      },
      async (request) => {
        await records.remove(requireCurrentUser(request), request.params.id);
        return presentSingle('Data PBB berhasil dihapus', {});
      },
    );
  };
  return plugin;
}
