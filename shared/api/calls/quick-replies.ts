import { doneAnswer } from '../envelope.ts';
import {
  fillAnswer,
  fillBody,
  quickRepliesAnswer,
  quickReplyAnswer,
  quickReplyBody,
  quickReplyTexts,
  updateQuickReplyBody,
} from '../quick-replies.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Balasan cepat (administrator)' } as const;
const shortcutTaken = quickReplyTexts.shortcutTaken('salam');

export const quickReplyCalls = {
  'GET /admin/quick-replies': {
    ...admin,
    summary: 'Balasan bersama dan milik sendiri, menurut singkatan',
    answer: quickRepliesAnswer,
  },
  'POST /admin/quick-replies': {
    ...admin,
    summary: 'Menambah balasan cepat',
    description: 'personal: hanya untuk diri sendiri; admin lain tidak melihatnya.',
    body: quickReplyBody,
    answer: quickReplyAnswer,
    status: 201,
    errors: { 409: shortcutTaken },
  },
  'PUT /admin/quick-replies/{id}': {
    ...admin,
    summary: 'Mengubah balasan cepat',
    body: updateQuickReplyBody,
    answer: quickReplyAnswer,
    errors: { 404: quickReplyTexts.missing, 409: shortcutTaken },
  },
  'DELETE /admin/quick-replies/{id}': {
    ...admin,
    summary: 'Menghapus balasan cepat',
    answer: doneAnswer,
    errors: { 404: quickReplyTexts.missing },
  },
  'POST /admin/quick-replies/{id}/fill': {
    ...admin,
    summary: 'Teks balasan untuk satu warga, dengan angka sebenarnya',
    description:
      'Yang tidak ada nilainya dan isian {?teks} tetap di dalam teks dan disebut di missing, tanpa kurung kurawal.',
    body: fillBody,
    answer: fillAnswer,
    errors: { 404: quickReplyTexts.missing },
  },
} satisfies Calls;
