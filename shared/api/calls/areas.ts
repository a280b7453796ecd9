import { areaTexts, errorTexts } from '../../texts.ts';
import { areaAnswer, areaBody, areasAnswer, updateAreaBody } from '../areas.ts';
import { doneAnswer } from '../envelope.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Wilayah' } as const;

export const areaCalls = {
  'GET /admin/areas': { ...admin, summary: 'Dusun, RW, dan RT', answer: areasAnswer },
  'POST /admin/areas': {
    ...admin,
    summary: 'Menambah wilayah',
    description: 'parent_id: wilayah di atasnya. Dusun memuat RW dan RT, RW memuat RT. Nama satu kali di tiap wilayah.',
    body: areaBody,
    answer: areaAnswer,
    status: 201,
    errors: { 409: areaTexts.nameTaken, 422: areaTexts.parentInvalid },
  },
  'PUT /admin/areas/{id}': {
    ...admin,
    summary: 'Mengubah wilayah',
    description: 'Bidang yang tidak dikirim tidak berubah.',
    body: updateAreaBody,
    answer: areaAnswer,
    errors: { 404: areaTexts.missing, 409: errorTexts.conflict, 422: areaTexts.parentInvalid },
  },
  'DELETE /admin/areas/{id}': {
    ...admin,
    summary: 'Menghapus wilayah yang kosong',
    answer: doneAnswer,
    errors: { 404: areaTexts.missing, 409: areaTexts.hasObjects(12) },
  },
} satisfies Calls;
