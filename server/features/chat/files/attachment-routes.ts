import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { attachmentAnswer, attachmentBody, attachmentParams } from '#shared/api/chat.ts';
import { doneAnswer } from '#shared/api/envelope.ts';
import { errorTexts, fieldTexts, inboxTexts } from '#shared/texts.ts';
import { createFormParser, type FormShape } from '#server/http/bodies/multipart-form.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { type AttachmentService, FILE_FIELD } from './attachment-service.ts';
import { presentAttachment } from './present-attachment.ts';

const THUMB_FIELD = 'thumb';

const attachmentForm: FormShape = {
  numbers: [],
  booleans: [],
  nullWhenMissing: [],
  files: [FILE_FIELD, THUMB_FIELD],
  fileText: 'Foto (JPG, PNG, GIF, WebP) atau dokumen PDF; paling besar 5 MB. thumb: gambar kecil, paling besar 40 KB.',
};

/** Files that a message may carry later (R-FILE-1, R-FILE-14). */
export function attachmentRoutes(
  attachments: AttachmentService,
  links: UploadLinks,
  { requireSession }: SessionGuards,
) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.post(
      '/messages/attachments',
      {
        onRequest: requireSession,
        preValidation: createFormParser(attachmentForm),
        config: {
          form: attachmentForm,
          errors: { 415: errorTexts.attachmentType, 422: fieldTexts.fileRequired },
        },
        schema: {
          tags: ['Obrolan'],
          summary: 'Mengunggah berkas untuk sebuah pesan',
          description:
            'multipart/form-data dengan berkas di file dan, bila ada, gambar kecilnya di thumb. Berkas belum terkirim sampai sebuah pesan membawanya (attachment_ids); yang tidak terkirim dihapus setelah 24 jam. Aman diulang: client_id yang sama dari pengunggah yang sama menjawab 200 dengan berkas pertama.',
          consumes: ['multipart/form-data'],
          body: attachmentBody,
          response: { 200: attachmentAnswer, 201: attachmentAnswer },
        },
      },
      async (request, reply) => {
        const currentUser = requireCurrentUser(request);
        const { formFiles, body } = request;
        const { row, isNew } = await attachments.upload(currentUser, {
          file: formFiles.get(FILE_FIELD),
          thumb: formFiles.get(THUMB_FIELD),
          clientId: body?.client_id ?? null,
        });
        const attachment = presentAttachment(row, links.forSession(currentUser.sessionId));
        return reply.code(isNew ? 201 : 200).send(presentSingle('Berkas terunggah', attachment));
      },
    );
    app.delete(
      '/messages/attachments/:id',
      {
        onRequest: requireSession,
        config: { errors: { 404: inboxTexts.unsentMissing } },
        schema: {
          tags: ['Obrolan'],
          summary: 'Membuang berkas yang belum terkirim',
          description: 'Hanya berkas sendiri yang belum dibawa sebuah pesan; yang lain menjawab 404 dan tetap ada.',
          params: attachmentParams,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await attachments.removeUnsent(requireCurrentUser(request), request.params.id);
        return presentSingle('Berkas dibuang', {});
      },
    );
  };
  return plugin;
}
