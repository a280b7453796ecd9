import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  conversationParams,
  conversationsAnswer,
  conversationsQuery,
  historyAnswer,
  historyQuery,
  seenAnswer,
  seenBody,
  sendAnswer,
  sendBody,
} from '#shared/api/chat.ts';
import { doneAnswer } from '#shared/api/envelope.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { errorTexts, inboxTexts } from '#shared/texts.ts';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { Send } from './sending/send.ts';
import type { ChatService } from './service.ts';

const tags = ['Obrolan'];

export function chatRoutes(chat: ChatService, send: Send, { requireSession }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.addHook('onRequest', requireSession);

    app.post(
      '/messages/send',
      {
        // A text that is far too long is refused by the check of its length, with the words for it.
        bodyLimit: BODY_MAX_BYTES,
        config: {
          errors: {
            404: errorTexts.userMissing,
            409: inboxTexts.answered('Ratna'),
            429: errorTexts.rateLimited(10),
          },
        },
        schema: {
          tags,
          summary: 'Mengirim pesan',
          description:
            'Aman diulang: client_id yang sama dari pengirim yang sama menjawab 200 dengan pesan pertama. Dengan seen_id, balasan admin ditolak (409) bila admin lain sudah membalas setelah pesan itu. attachment_ids: berkas sendiri yang sudah diunggah dan belum terkirim, menurut urutannya; record_id: data PBB milik pengguna percakapan itu. Yang tidak ada atau milik orang lain menjawab 404 dan tidak ada yang tersimpan. content wajib juga di samping lampiran.',
          body: sendBody,
          response: { 200: sendAnswer, 201: sendAnswer },
        },
      },
      async (request, reply) => {
        const { message, isNew } = await send(requireCurrentUser(request), request.body);
        return reply.code(isNew ? 201 : 200).send(presentSingle('Pesan terkirim', message));
      },
    );
    app.get(
      '/messages/conversations',
      {
        config: { errors: { 404: errorTexts.noAdmin } },
        schema: {
          tags,
          summary: 'Daftar percakapan',
          querystring: conversationsQuery,
          response: { 200: conversationsAnswer },
        },
      },
      async (request, reply) => {
        const currentUser = requireCurrentUser(request);
        if (!currentUser.isAdmin) return chat.listOwn(currentUser, request.query);
        return sendEncoded(reply, await chat.encodeInbox(currentUser, request.query, listCallerOf(request, reply)));
      },
    );
    app.get(
      '/messages/conversation/:userId',
      {
        config: { errors: { 403: errorTexts.forbidden, 404: errorTexts.userMissing } },
        schema: {
          tags,
          summary: 'Isi percakapan',
          params: conversationParams,
          querystring: historyQuery,
          response: { 200: historyAnswer },
        },
      },
      async (request, reply) => {
        const { params, query } = request;
        const caller = listCallerOf(request, reply);
        const found = await chat.history(requireCurrentUser(request), params.userId, query, caller);
        return found instanceof Uint8Array ? sendEncoded(reply, found) : presentSingle('Isi percakapan', found);
      },
    );
    app.post(
      '/messages/conversation/:userId/seen',
      {
        schema: {
          tags,
          summary: 'Menandai percakapan sudah dibaca',
          params: conversationParams,
          body: seenBody,
          response: { 200: seenAnswer },
        },
      },
      async (request) => {
        const seen = await chat.markSeen(requireCurrentUser(request), request.params.userId, request.body?.up_to);
        return presentSingle('Percakapan ditandai sudah dibaca', seen);
      },
    );
    app.delete(
      '/messages/conversation/:userId',
      {
        schema: {
          tags,
          summary: 'Menghapus riwayat percakapan',
          params: conversationParams,
          response: { 200: doneAnswer },
        },
      },
      async (request) => {
        await chat.clear(requireCurrentUser(request), request.params.userId);
        return presentSingle('Riwayat percakapan dihapus', {});
      },
    );
  };
  return plugin;
}
