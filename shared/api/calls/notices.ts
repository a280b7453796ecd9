import { doneAnswer } from '../envelope.ts';
import { accessTexts, errorTexts } from '../../texts.ts';
import { noticesAnswer, noticeTexts } from '../notices.ts';
import { ownPasswordBody, ownPasswordTexts } from '../users.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Pemberitahuan (administrator)' } as const;

export const noticeCalls = {
  'GET /admin/notices': {
    ...admin,
    summary: 'Yang dilakukan administrator lain dan belum Anda tandai sudah dilihat, terbaru lebih dulu',
    description:
      'Administrator yang dibuat, diubah, atau dihapus, dan cadangan yang diunduh; lebih dulu email yang diubah pemiliknya sendiri dalam 7 hari ini, dengan actions ["revert"]. Masing-masing paling banyak sepuluh. Paling awal masa simpan yang akan mulai menghapus, dengan actions ["stop"]; baris itu tetap sampai penghapusan pertama.',
    answer: noticesAnswer,
  },
  'POST /admin/notices/{id}/seen': {
    ...admin,
    summary: 'Menandai sebuah pemberitahuan dan semua yang lebih lama sudah dilihat',
    answer: doneAnswer,
    errors: { 404: noticeTexts.missing },
  },
  'POST /admin/notices/{id}/stop': {
    ...admin,
    summary: 'Menghentikan masa simpan yang diumumkan; semuanya disimpan selamanya lagi',
    answer: doneAnswer,
    errors: { 404: noticeTexts.missing },
  },
  'POST /admin/notices/{id}/revert': {
    ...admin,
    summary: 'Mengembalikan email yang diubah pemiliknya dalam 7 hari ini',
    description:
      'Semua sesi akun itu berakhir seketika; email sesudahnya tidak dapat lagi meminta kode masuk. Untuk administrator: hanya oleh administrator lain yang akun dan passwordnya sudah 24 jam, dengan current_password.',
    body: ownPasswordBody,
    answer: doneAnswer,
    errors: {
      403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      404: noticeTexts.missing,
      409: errorTexts.emailTaken,
      422: ownPasswordTexts.required,
      429: errorTexts.rateLimited(900),
    },
  },
} satisfies Calls;
