import type { chatCalls } from '#shared/api/calls/chat.ts';
import { ATTACHMENT_FIELDS } from '#shared/api/chat/chat.ts';
import type { ChatStatistics } from '#shared/api/office/chat-statistics.ts';
import type { OfficePeriod } from '#shared/domain/dates/dates.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import type { AttachmentService } from './files/attachment-service.ts';
import { presentAttachment } from './files/present-attachment.ts';
import type { NoteService } from './notes/note-service.ts';
import type { MessageSearchService } from './search/search-service.ts';
import type { Send } from './sending/send.ts';
import type { ChatService } from './service.ts';
import type { ConversationStates } from './state/state-service.ts';
import type { TranscriptService } from './transcript/transcript-service.ts';

type Services = {
  chat: ChatService;
  send: Send;
  attachments: AttachmentService;
  links: UploadLinks;
  notes: NoteService;
  transcripts: TranscriptService;
  states: ConversationStates;
  search: MessageSearchService;
  /** Waits count in opening hours, so the office reads them. */
  readStatistics: (period: OfficePeriod, adminId: string) => Promise<ChatStatistics>;
};

export function chatRoutes(services: Services): Handlers<typeof chatCalls> {
  const { chat, send, attachments, links, notes, transcripts, states, search, readStatistics } = services;
  return {
    'POST /messages/send': async ({ currentUser, body, reply }) => {
      const { message, isNew } = await send(currentUser, body);
      reply.code(isNew ? 201 : 200);
      return presentSingle('Pesan terkirim', message);
    },
    'GET /messages/conversations': (received) => {
      const { currentUser, query } = received;
      if (!currentUser.isAdmin) return chat.listOwn(currentUser, query);
      return chat.encodeInbox(currentUser, query, listCallerOf(received));
    },
    'GET /messages/conversation/{userId}': async (received) => {
      const { currentUser, params, query } = received;
      const found = await chat.history(currentUser, params.userId, query, listCallerOf(received));
      return found instanceof Uint8Array ? found : presentSingle('Isi percakapan', found);
    },
    'POST /messages/conversation/{userId}/seen': async ({ currentUser, params, body }) => {
      const seen = await chat.markSeen(currentUser, params.userId, body?.up_to);
      return presentSingle('Percakapan ditandai sudah dibaca', seen);
    },
    'DELETE /messages/conversation/{userId}': async ({ currentUser, params }) => {
      await chat.clear(currentUser, params.userId);
      return presentSingle('Riwayat percakapan dihapus', {});
    },

    'POST /messages/attachments': async ({ currentUser, body, files, reply }) => {
      const { row, isNew } = await attachments.upload(currentUser, {
        file: files.get(ATTACHMENT_FIELDS.file),
        thumb: files.get(ATTACHMENT_FIELDS.thumb),
        clientId: body?.client_id ?? null,
      });
      reply.code(isNew ? 201 : 200);
      return presentSingle('Berkas terunggah', presentAttachment(row, links.forSession(currentUser.sessionId)));
    },
    'DELETE /messages/attachments/{id}': async ({ currentUser, params }) => {
      await attachments.removeUnsent(currentUser, params.id);
      return presentSingle('Berkas dibuang', {});
    },

    'GET /admin/conversations/{userId}/notes': (received) =>
      notes.encodeList(received.currentUser, received.params.userId, listCallerOf(received)),
    'POST /admin/conversations/{userId}/notes': async ({ currentUser, params, body, reply }) => {
      const { note, isNew } = await notes.add(currentUser, params.userId, body);
      reply.code(isNew ? 201 : 200);
      return presentSingle('Catatan disimpan', note);
    },
    'GET /admin/notes/for-me': async ({ currentUser }) =>
      presentSingle('Catatan untuk Anda', await notes.listForMe(currentUser)),
    'POST /admin/conversations/{userId}/notes/seen': async ({ currentUser, params }) => {
      await notes.markSeen(currentUser, params.userId);
      return presentSingle('Catatan ditandai sudah dibuka', {});
    },
    'DELETE /admin/notes/{id}': async ({ currentUser, params }) => {
      await notes.remove(currentUser, params.id);
      return presentSingle('Catatan dihapus', {});
    },

    'GET /admin/conversations/{userId}/transcript': (received) => {
      const { currentUser, params, query } = received;
      return transcripts.encode(currentUser, params.userId, query, listCallerOf(received));
    },

    'POST /admin/conversations/{userId}/claim': async ({ currentUser, params, body }) =>
      presentSingle('Percakapan Anda tangani', await states.claim(currentUser, params.userId, body?.take ?? false)),
    'POST /admin/conversations/{userId}/release': async ({ currentUser, params }) =>
      presentSingle('Percakapan dilepas', await states.release(currentUser, params.userId)),
    'POST /admin/conversations/{userId}/dismiss': async ({ currentUser, params, body }) =>
      presentSingle('Percakapan tidak perlu dibalas', await states.dismiss(currentUser, params.userId, body.up_to)),
    'DELETE /admin/conversations/{userId}/dismiss': async ({ currentUser, params }) =>
      presentSingle('Percakapan menunggu balasan lagi', await states.undoDismiss(currentUser, params.userId)),
    'POST /admin/conversations/{userId}/snooze': async ({ currentUser, params, body }) => {
      const state = await states.snooze(currentUser, params.userId, body.until, body.up_to);
      return presentSingle('Percakapan ditunda', state);
    },
    'DELETE /admin/conversations/{userId}/snooze': async ({ currentUser, params }) =>
      presentSingle('Penundaan dibatalkan', await states.undoSnooze(currentUser, params.userId)),

    'GET /messages/search': (received) =>
      search.encodeOwn(received.currentUser, received.query, listCallerOf(received)),
    'GET /admin/messages/search': (received) =>
      search.encodeAll(received.currentUser, received.query, listCallerOf(received)),

    'GET /admin/chat-statistics': async ({ currentUser, query }) =>
      presentSingle('Layanan chat', await readStatistics(query.range, currentUser.id)),
  };
}
