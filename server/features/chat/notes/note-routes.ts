import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { conversationParams } from '#shared/api/chat.ts';
import { doneAnswer, idParams } from '#shared/api/envelope.ts';
import { noteAnswer, noteBody, notesAnswer, notesForMeAnswer, noteTexts } from '#shared/api/inbox.ts';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { NoteService } from './note-service.ts';

const tags = ['Catatan internal'];

export function noteRoutes(notes: NoteService, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireAdmin);

    app.get(
      '/admin/conversations/:userId/notes',
      {
        config: { errors: { 404: errorTexts.userMissing } },
        schema: {
          tags,
          summary: 'Catatan internal sebuah percakapan',
          description: 'Hanya untuk admin; warga tidak pernah menerimanya.',
          params: conversationParams,
          response: { 200: notesAnswer },
        },
      },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await notes.encodeList(requireCurrentUser(request), request.params.userId, caller));
      },
    );
    app.post(
      '/admin/conversations/:userId/notes',
      {
        // A text that is far too long is refused by the check of its length, with the words for it.
        bodyLimit: BODY_MAX_BYTES,
        config: { errors: { 404: errorTexts.userMissing, 409: noteTexts.tooMany, 422: noteTexts.noSuchAdmin } },
        schema: {
          tags,
          summary: 'Menambah catatan internal',
          description: 'Aman diulang: client_id yang sama dari penulis yang sama menjawab 200 dengan catatan pertama.',
          params: conversationParams,
          body: noteBody,
          response: { 200: noteAnswer, 201: noteAnswer },
        },
      },
      async (request, reply) => {
        const { note, isNew } = await notes.add(requireCurrentUser(request), request.params.userId, request.body);
        return reply.code(isNew ? 201 : 200).send(presentSingle('Catatan disimpan', note));
      },
    );
    app.get(
      '/admin/notes/for-me',
      {
        schema: {
          tags,
          summary: 'Percakapan dengan catatan untuk Anda yang belum dibuka, terbaru lebih dulu',
          response: { 200: notesForMeAnswer },
        },
      },
      async (request) => presentSingle('Catatan untuk Anda', notes.listForMe(requireCurrentUser(request))),
    );
    app.post(
      '/admin/conversations/:userId/notes/seen',
      {
        config: { errors: { 404: errorTexts.userMissing } },
        schema: {
          tags,
          summary: 'Menandai catatan untuk Anda di sebuah percakapan sudah dibuka',
          params: conversationParams,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await notes.markSeen(requireCurrentUser(request), request.params.userId);
        return presentSingle('Catatan ditandai sudah dibuka', {});
      },
    );
    app.delete(
      '/admin/notes/:id',
      {
        config: { errors: { 404: noteTexts.missing } },
        schema: { tags, summary: 'Menghapus catatan internal', params: idParams, response: { 200: doneAnswer } },
      },
      async (request) => {
        await notes.remove(requireCurrentUser(request), request.params.id);
        return presentSingle('Catatan dihapus', {});
      },
    );
  };
  return plugin;
}
