import { auditAnswer, auditQuery } from '../audit.ts';
import type { Calls } from './call.ts';

export const auditCalls = {
  'GET /admin/audit': {
    access: 'admin',
    tag: 'Riwayat perubahan',
    summary: 'Siapa mengubah apa, terbaru lebih dulu',
    description:
      'search mencari di nama pelaku dan di keterangan data atau user yang diubah. from, to: yyyy-mm-dd, batasnya ikut terhitung.',
    query: auditQuery,
    answer: auditAnswer,
  },
} satisfies Calls;
