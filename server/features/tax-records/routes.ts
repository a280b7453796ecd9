import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { doneAnswer } from '#shared/api/envelope.ts';
import {
  type adminUpdateRecordBody,
  recordAnswer,
  recordParams,
  type updateRecordBody,
} from '#shared/api/tax-records.ts';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import { createFormParser, type FormShape } from '#server/http/bodies/multipart-form.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import { editFormDescription, formContentTypes, PROOF_FIELD, proofBody, proofForm } from './form-shape.ts';
import { presentRecord } from './present.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { OwnedRecord } from './queries.ts';
import type { RecordService } from './service.ts';

type RecordRoutesOptions = {
  /** Path of the list; a record is below it. */
  path: '/tax-records' | '/admin/tax-records';
  guard: SessionGuards['requireSession'];
  links: UploadLinks;
  /** Only `create` depends on the type of the body. Without it `never` fits the services of users and of admins. */
  records: Omit<RecordService<never>, 'create'>;
  tags: string[];
  editForm: FormShape;
  editBody: typeof updateRecordBody | typeof adminUpdateRecordBody;
  summaries: { one: string; update: string; attachProof: string; remove: string };
  messages: { one: string; updated: string; removed: string };
  missingText: string;
};

/** Shapes the answer for one record, with a proof link of the request's session. */
export function presentOne(links: UploadLinks, request: FastifyRequest, message: string, row: OwnedRecord) {
  return presentSingle(message, presentRecord(row, links.forSession(requireCurrentUser(request).sessionId)));
}

/** The calls for one record that exist for users and for admins: read, edit, attach a proof, delete. */
export function addRecordRoutes(
  fastify: FastifyInstance,
  { path, guard, links, records, tags, editForm, editBody, summaries, messages, missingText }: RecordRoutesOptions,
): void {
  const app = fastify.withTypeProvider<ZodTypeProvider>();
  app.get(
    `${path}/:id`,
    {
      onRequest: guard,
      config: { errors: { 404: missingText } },
      schema: { tags, summary: summaries.one, params: recordParams, response: { 200: recordAnswer } },
    },
    async (request) => {
      const row = records.requireRecord(requireCurrentUser(request), request.params.id);
      return presentOne(links, request, messages.one, row);
    },
  );
  app.put(
    `${path}/:id`,
    {
      bodyLimit: BODY_MAX_BYTES,
      onRequest: guard,
      preValidation: createFormParser(editForm),
      config: { form: editForm, errors: { 404: missingText, 409: errorTexts.conflict } },
      schema: {
        tags,
        summary: summaries.update,
        description: editFormDescription,
        consumes: formContentTypes,
        params: recordParams,
        body: editBody,
        response: { 200: recordAnswer },
      },
    },
    async (request) => {
      const { params, body, formFiles } = request;
      const row = await records.update(requireCurrentUser(request), params.id, body, formFiles.get(PROOF_FIELD));
      return presentOne(links, request, messages.updated, row);
    },
  );
  app.post(
    `${path}/:id/payment-proof`,
    {
      onRequest: guard,
      preValidation: createFormParser(proofForm),
      config: { form: proofForm, errors: { 404: missingText, 422: fieldTexts.proofRequired } },
      schema: {
        tags,
        summary: summaries.attachProof,
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
      return presentOne(links, request, 'Bukti pembayaran berhasil diunggah', row);
    },
  );
  app.delete(
    `${path}/:id`,
    {
      onRequest: guard,
      config: { errors: { 404: missingText, 429: errorTexts.rateLimited(30) } },
      schema: { tags, summary: summaries.remove, params: recordParams, response: { 200: doneAnswer } },
    },
    async (request) => {
      await records.remove(requireCurrentUser(request), request.params.id);
      return presentSingle(messages.removed, {});
    },
  );
}
