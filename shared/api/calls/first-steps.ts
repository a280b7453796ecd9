import { firstStepBody, firstStepsAnswer, firstStepTexts } from '../first-steps.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Langkah pertama (administrator)' } as const;

export const firstStepCalls = {
  'GET /admin/first-steps': {
    ...admin,
    summary: 'Langkah pertama kantor baru, menurut urutan, dan apakah sudah selesai',
    answer: firstStepsAnswer,
  },
  'PUT /admin/first-steps/{step}': {
    ...admin,
    summary: 'Menyingkirkan sebuah langkah, atau menampilkannya lagi',
    description:
      'state: dismissed menyingkirkan, open menampilkan lagi, done hanya untuk qr_sheet (lembar QR sudah dicetak). Langkah password berlaku untuk akun sendiri, yang lain untuk seluruh kantor.',
    body: firstStepBody,
    answer: firstStepsAnswer,
    errors: { 404: firstStepTexts.missing, 422: firstStepTexts.stateInvalid },
  },
} satisfies Calls;
