import { doneAnswer } from '../envelope.ts';
import { noticesAnswer, noticeTexts } from '../notices.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Pemberitahuan (administrator)' } as const;

export const noticeCalls = {
  'GET /admin/notices': {
    ...admin,
    summary: 'Yang dilakukan administrator lain dan belum Anda tandai sudah dilihat, terbaru lebih dulu',
    description: 'Paling banyak sepuluh: administrator yang dibuat, diubah, atau dihapus, dan cadangan yang diunduh.',
    answer: noticesAnswer,
  },
  'POST /admin/notices/{id}/seen': {
    ...admin,
    summary: 'Menandai sebuah pemberitahuan dan semua yang lebih lama sudah dilihat',
    answer: doneAnswer,
    errors: { 404: noticeTexts.missing },
  },
} satisfies Calls;
