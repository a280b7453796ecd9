import { errorTexts, inboxTexts } from '../../texts.ts';
import { doneAnswer } from '../envelope.ts';
import {
  pushActionAnswer,
  pushActionBody,
  pushKeyAnswer,
  pushPreferencesAnswer,
  pushPreferencesBody,
  pushSubscriptionBody,
  pushTestAnswer,
  pushTexts,
} from '../push.ts';
import type { Calls } from './call.ts';

const session = { access: 'session', tag: 'Notifikasi' } as const;
const rateLimited = { 429: errorTexts.rateLimited(30) };

export const pushCalls = {
  'GET /push/key': {
    ...session,
    summary: 'Kunci publik untuk berlangganan notifikasi',
    description: 'VAPID, base64url, untuk applicationServerKey. Bila berubah, peramban perlu berlangganan lagi.',
    answer: pushKeyAnswer,
  },
  'PUT /push/subscription': {
    ...session,
    summary: 'Menyalakan notifikasi di perangkat ini',
    description:
      'Seperti PushSubscription.toJSON(). Satu untuk tiap sesi: yang baru menggantikan yang lama, dan berakhir bersama sesinya. Alamatnya harus https di alamat publik.',
    body: pushSubscriptionBody,
    answer: doneAnswer,
    errors: rateLimited,
  },
  'DELETE /push/subscription': { ...session, summary: 'Mematikan notifikasi di perangkat ini', answer: doneAnswer },
  'GET /push/preferences': {
    ...session,
    summary: 'Pilihan notifikasi sendiri, untuk semua perangkat',
    answer: pushPreferencesAnswer,
  },
  'PUT /push/preferences': {
    ...session,
    summary: 'Mengubah pilihan notifikasi sendiri',
    description:
      'quiet_hours dalam zona waktu server, juga melewati tengah malam; notifikasi selama itu ditahan sampai selesai.',
    body: pushPreferencesBody,
    answer: pushPreferencesAnswer,
    errors: rateLimited,
  },
  'POST /push/test': {
    ...session,
    summary: 'Mengirim notifikasi percobaan ke perangkat ini',
    description:
      'Menunggu jawaban layanan notifikasi peramban. result dan message mengatakan apa yang terjadi; 404 bila notifikasi belum dinyalakan di sesi ini.',
    answer: pushTestAnswer,
    errors: { 404: pushTexts.noSubscription, ...rateLimited },
  },
  'POST /push/actions': {
    // The service worker has no token; the action token of the notification says which session it belongs to.
    access: 'public',
    tag: 'Notifikasi',
    summary: 'Tombol pada notifikasi: menandai dibaca, atau membalas',
    description:
      'action_token dari notifikasi berlaku untuk satu percakapan dan satu sesi, selama sesi itu berlaku dan pesannya masih ada. Membalas juga menandai dibaca, dan aman diulang dengan client_id yang sama. Selain itu 403.',
    body: pushActionBody,
    answer: pushActionAnswer,
    errors: {
      403: pushTexts.actionRefused,
      404: errorTexts.userMissing,
      409: inboxTexts.answered('Ratna'),
      429: errorTexts.rateLimited(30),
    },
  },
} satisfies Calls;
