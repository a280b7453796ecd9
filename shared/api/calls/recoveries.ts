import { accessTexts } from '../../texts.ts';
import { doneAnswer } from '../envelope.ts';
import { recoveriesAnswer, recoveriesQuery } from '../recoveries.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Minta masuk lagi (administrator)' } as const;

export const recoveryCalls = {
  'GET /admin/recoveries': {
    ...admin,
    summary: 'Permintaan kode masuk yang masih terbuka, yang terakhir diminta lebih dulu',
    description: 'Berakhir dengan dipakainya kode, dengan DELETE, atau setelah 7 hari.',
    query: recoveriesQuery,
    answer: recoveriesAnswer,
  },
  'DELETE /admin/recoveries/{id}': {
    ...admin,
    summary: 'Menyingkirkan sebuah permintaan',
    answer: doneAnswer,
    errors: { 404: accessTexts.requestMissing },
  },
} satisfies Calls;
