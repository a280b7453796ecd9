import { BODY_MAX_BYTES } from '../../limits.ts';
import { errorTexts, fieldTexts, inboxTexts } from '../../texts.ts';
import {
  attachmentAnswer,
  attachmentBody,
  ATTACHMENT_FIELDS,
  conversationsAnswer,
  conversationsQuery,
  historyAnswer,
  historyQuery,
  seenAnswer,
  seenBody,
  sendAnswer,
  sendBody,
} from '../chat/chat.ts';
import { doneAnswer } from '../envelope.ts';
import {
  claimBody,
  conversationStateAnswer,
  dismissBody,
  messageSearchAnswer,
  messageSearchQuery,
  noteAnswer,
  noteBody,
  notesAnswer,
  notesForMeAnswer,
  noteTexts,
  snoozeBody,
  transcriptAnswer,
  transcriptQuery,
} from '../chat/inbox.ts';
import { chatStatisticsAnswer, chatStatisticsQuery } from '../office/chat-statistics.ts';
import type { Calls } from './call.ts';

const session = { access: 'session', tag: 'Obrolan' } as const;
const admin = { access: 'admin', tag: 'Obrolan' } as const;
const notes = { access: 'admin', tag: 'Catatan internal' } as const;
/** Changes of the state of a conversation; each answers with the new state. */
const state = { ...admin, answer: conversationStateAnswer } as const;

const unknownUser = { 404: errorTexts.userMissing };
const claimed = { ...unknownUser, 409: inboxTexts.claimed('Ratna') };
const outdated = { ...unknownUser, 409: inboxTexts.newMessage };

export const chatCalls = {
  'POST /messages/send': {
    ...session,
    summary: 'Mengirim pesan',
    description:
      'Aman diulang: client_id yang sama dari pengirim yang sama menjawab 200 dengan pesan pertama. Dengan seen_id, balasan admin ditolak (409) bila admin lain sudah membalas setelah pesan itu. attachment_ids: berkas sendiri yang sudah diunggah dan belum terkirim, menurut urutannya; record_id: data PBB milik pengguna percakapan itu. Yang tidak ada atau milik orang lain menjawab 404 dan tidak ada yang tersimpan. content wajib juga di samping lampiran.',
    body: sendBody,
    // A text that is far too long is refused by the check of its length, with the words for it.
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: sendAnswer,
    status: 'new 201, else 200',
    errors: { 404: errorTexts.userMissing, 409: inboxTexts.answered('Ratna'), 429: errorTexts.rateLimited(10) },
  },
  'GET /messages/conversations': {
    ...session,
    summary: 'Daftar percakapan',
    query: conversationsQuery,
    answer: conversationsAnswer,
    errors: { 404: errorTexts.noAdmin },
  },
  'GET /messages/conversation/{userId}': {
    ...session,
    summary: 'Isi percakapan',
    query: historyQuery,
    answer: historyAnswer,
    errors: { 403: errorTexts.forbidden, 404: errorTexts.userMissing },
  },
  'POST /messages/conversation/{userId}/seen': {
    ...session,
    summary: 'Menandai percakapan sudah dibaca',
    body: seenBody,
    answer: seenAnswer,
  },
  'DELETE /messages/conversation/{userId}': {
    ...session,
    summary: 'Menghapus riwayat percakapan',
    answer: doneAnswer,
  },

  'POST /messages/attachments': {
    ...session,
    summary: 'Mengunggah berkas untuk sebuah pesan',
    description:
      'multipart/form-data dengan berkas di file dan, bila ada, gambar kecilnya di thumb. Berkas belum terkirim sampai sebuah pesan membawanya (attachment_ids); yang tidak terkirim dihapus setelah 24 jam. Aman diulang: client_id yang sama dari pengunggah yang sama menjawab 200 dengan berkas pertama.',
    body: attachmentBody,
    form: {
      files: Object.values(ATTACHMENT_FIELDS),
      fileText:
        'Foto (JPG, PNG, GIF, WebP) atau dokumen PDF; paling besar 5 MB. thumb: gambar kecil, paling besar 40 KB.',
    },
    answer: attachmentAnswer,
    status: 'new 201, else 200',
    errors: { 415: errorTexts.attachmentType, 422: fieldTexts.fileRequired },
  },
  'DELETE /messages/attachments/{id}': {
    ...session,
    summary: 'Membuang berkas yang belum terkirim',
    description: 'Hanya berkas sendiri yang belum dibawa sebuah pesan; yang lain menjawab 404 dan tetap ada.',
    answer: doneAnswer,
    errors: { 404: inboxTexts.unsentMissing },
  },

  'GET /admin/conversations/{userId}/notes': {
    ...notes,
    summary: 'Catatan internal sebuah percakapan',
    description: 'Hanya untuk admin; warga tidak pernah menerimanya.',
    answer: notesAnswer,
    errors: unknownUser,
  },
  'POST /admin/conversations/{userId}/notes': {
    ...notes,
    summary: 'Menambah catatan internal',
    description: 'Aman diulang: client_id yang sama dari penulis yang sama menjawab 200 dengan catatan pertama.',
    body: noteBody,
    // A text that is far too long is refused by the check of its length, with the words for it.
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: noteAnswer,
    status: 'new 201, else 200',
    errors: { ...unknownUser, 409: noteTexts.tooMany, 422: noteTexts.noSuchAdmin },
  },
  'GET /admin/notes/for-me': {
    ...notes,
    summary: 'Percakapan dengan catatan untuk Anda yang belum dibuka, terbaru lebih dulu',
    answer: notesForMeAnswer,
  },
  'POST /admin/conversations/{userId}/notes/seen': {
    ...notes,
    summary: 'Menandai catatan untuk Anda di sebuah percakapan sudah dibuka',
    answer: doneAnswer,
    errors: unknownUser,
  },
  'DELETE /admin/notes/{id}': {
    ...notes,
    summary: 'Menghapus catatan internal',
    answer: doneAnswer,
    errors: { 404: noteTexts.missing },
  },

  'GET /admin/conversations/{userId}/transcript': {
    ...admin,
    summary: 'Transkrip percakapan untuk dicetak',
    description:
      'from, to: yyyy-mm-dd, batasnya ikut terhitung. Yang terlalu panjang kehilangan pesan tertua; omitted menyebut jumlahnya.',
    query: transcriptQuery,
    answer: transcriptAnswer,
    errors: { ...unknownUser, 422: fieldTexts.transcriptPeriodInvalid },
  },

  'POST /admin/conversations/{userId}/claim': {
    ...state,
    summary: 'Menangani percakapan',
    body: claimBody,
    errors: claimed,
  },
  'POST /admin/conversations/{userId}/release': { ...state, summary: 'Melepas percakapan', errors: claimed },
  'POST /admin/conversations/{userId}/dismiss': {
    ...state,
    summary: 'Menandai tidak perlu dibalas',
    body: dismissBody,
    errors: outdated,
  },
  'DELETE /admin/conversations/{userId}/dismiss': {
    ...state,
    summary: 'Membatalkan tanda tidak perlu dibalas',
    errors: unknownUser,
  },
  'POST /admin/conversations/{userId}/snooze': {
    ...state,
    summary: 'Menunda percakapan',
    body: snoozeBody,
    errors: outdated,
  },
  'DELETE /admin/conversations/{userId}/snooze': {
    ...state,
    summary: 'Membatalkan penundaan',
    errors: unknownUser,
  },

  'GET /messages/search': {
    ...session,
    summary: 'Mencari pesan di percakapan sendiri',
    description: 'user_id tidak dipakai di sini.',
    query: messageSearchQuery,
    answer: messageSearchAnswer,
    errors: { 403: errorTexts.forbidden },
  },
  'GET /admin/messages/search': {
    ...admin,
    summary: 'Mencari di semua pesan, terbaru lebih dulu',
    description:
      'Setiap kata harus ada di pesan atau di nama pemilik percakapan; kata terakhir boleh belum lengkap. Dengan user_id hanya percakapan itu, dan hanya di pesan. marks: tempat di snippet, dihitung seperti di JavaScript.',
    query: messageSearchQuery,
    answer: messageSearchAnswer,
  },

  'GET /admin/chat-statistics': {
    access: 'admin',
    tag: 'Jam layanan',
    summary: 'Layanan chat per hari dan per admin',
    description:
      'incoming: pesan warga; answered: balasan pertama atas pesan yang menunggu. Lama tunggu dihitung dalam jam buka. waiting: yang menunggu sekarang, longest_ms menurut jam; null bila tidak ada.',
    query: chatStatisticsQuery,
    answer: chatStatisticsAnswer,
    errors: { 422: fieldTexts.periodInvalid },
  },
} satisfies Calls;
