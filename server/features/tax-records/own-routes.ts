import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  type CreateRecordBody,
  createRecordBody,
  ownRecordsQuery,
  recordAnswer,
  recordsAnswer,
  updateRecordBody,
  yearParams,
} from '#shared/api/tax-records.ts';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { createFormParser } from '#server/http/bodies/multipart-form.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { createForm, editForm, formContentTypes, formDescription, PROOF_FIELD } from './form-shape.ts';
import type { RecordLists } from './lists/list-service.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { addRecordRoutes, presentOne } from './routes.ts';
import type { RecordService } from './service.ts';

const tags = ['Data PBB'];

type Services = { lists: RecordLists; records: RecordService<CreateRecordBody>; links: UploadLinks };

/** The own records of the currentUser, under /tax-records. */
export function ownRecordRoutes({ lists, records, links }: Services, { requireSession }: SessionGuards) {
  const listSchema = { tags, querystring: ownRecordsQuery, response: { 200: recordsAnswer } };

  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/tax-records',
      { onRequest: requireSession, schema: { ...listSchema, summary: 'Data PBB sendiri, terbaru lebih dulu' } },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await lists.encodeOwn(requireCurrentUser(request), request.query, caller));
      },
    );
    app.get(
      '/tax-records/outstanding',
      { onRequest: requireSession, schema: { ...listSchema, summary: 'Tunggakan sendiri' } },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await lists.encodeOwnOverdue(requireCurrentUser(request), request.query, caller));
      },
    );
    app.get(
      '/tax-records/year/:year',
      {
        onRequest: requireSession,
        config: { errors: { 422: fieldTexts.yearRange } },
        schema: { ...listSchema, summary: 'Data PBB sendiri dari satu tahun', params: yearParams },
      },
      async (request, reply) => {
        const { params, query } = request;
        const caller = listCallerOf(request, reply);
        const currentUser = requireCurrentUser(request);
        return sendEncoded(reply, await lists.encodeOwnOfYear(currentUser, params.year, query, caller));
      },
    );
    app.post(
      '/tax-records',
      {
        bodyLimit: BODY_MAX_BYTES,
        onRequest: requireSession,
        preValidation: createFormParser(createForm),
        config: { form: createForm },
        schema: {
          tags,
          summary: 'Menambah data PBB',
          description: `${formDescription} Tahun: yang dikirim bila dibuka kantor untuk warga, selain itu tahun terbaru yang dibuka (awalnya hanya 2025). Jenis pajak selalu PBB.`,
          consumes: formContentTypes,
          body: createRecordBody,
          response: { 201: recordAnswer },
        },
      },
      async (request, reply) => {
        const row = await records.create(requireCurrentUser(request), request.body, request.formFiles.get(PROOF_FIELD));
        return reply.code(201).send(presentOne(links, request, 'Data PBB berhasil ditambahkan!', row));
      },
    );
    addRecordRoutes(app, {
      path: '/tax-records',
      guard: requireSession,
      links,
      records,
      tags,
      editForm,
      editBody: updateRecordBody,
      summaries: {
        one: 'Satu data PBB sendiri',
        update: 'Mengubah data PBB',
        attachProof: 'Mengunggah bukti pembayaran',
        remove: 'Menghapus data PBB',
      },
      missingText: errorTexts.recordMissing,
      messages: { one: 'Data PBB', updated: 'Data PBB berhasil diperbarui', removed: 'Data PBB berhasil dihapus' },
    });
  };
  return plugin;
}
