import { officeTexts } from '#shared/domain/office/office-days.ts';
import { LOGO_MAX_BYTES } from '../../limits.ts';
import { errorTexts, identityTexts } from '../../texts.ts';
import { fileBody } from '../fields.ts';
import { LOGO_FIELD, officeIdentityAnswer, officeIdentityBody } from '../office/office-identity.ts';
import { officeAnswer, officeHoursAnswer, officeHoursBody, publicOfficeAnswer } from '../office/office.ts';
import type { Calls } from './call.ts';

const hours = { tag: 'Jam layanan' } as const;
const identity = { tag: 'Identitas kantor', answer: officeIdentityAnswer } as const;

export const officeCalls = {
  'GET /office': {
    ...hours,
    access: 'session',
    summary: 'Apakah kantor buka, lama tunggu yang biasa, dan antrean sendiri',
    answer: officeAnswer,
  },
  'GET /office/public': {
    ...hours,
    access: 'public',
    summary: 'Jam layanan kantor untuk siapa saja, juga tanpa login',
    description: 'days bernilai null selama jam layanan belum diisi. Boleh disimpan browser selama satu menit.',
    answer: publicOfficeAnswer,
    errors: { 429: errorTexts.rateLimited(60) },
  },
  'GET /admin/office-hours': { ...hours, access: 'admin', summary: 'Jam layanan', answer: officeHoursAnswer },
  'PUT /admin/office-hours': {
    ...hours,
    access: 'admin',
    summary: 'Menyimpan jam layanan',
    description: 'weekday: 1 Senin sampai 7 Minggu. closed_today: tutup sejak sekarang sampai hari ini berakhir.',
    body: officeHoursBody,
    answer: officeHoursAnswer,
    errors: { 422: officeTexts.daysIncomplete },
  },
  'GET /admin/office-identity': { ...identity, access: 'admin', summary: 'Identitas kantor' },
  'PUT /admin/office-identity': {
    ...identity,
    access: 'admin',
    summary: 'Menyimpan identitas kantor',
    description: 'Bidang yang tidak dikirim tidak berubah. whatsapp: angka, spasi, + dan -.',
    body: officeIdentityBody,
    errors: { 422: identityTexts.whatsappInvalid },
  },
  'POST /admin/office-identity/logo': {
    ...identity,
    access: 'admin',
    summary: 'Mengganti logo kantor',
    description: 'multipart/form-data dengan gambar di logo. Alamat logo berubah; alamat yang lama menjawab 404.',
    body: fileBody(LOGO_FIELD),
    form: {
      files: [LOGO_FIELD],
      fileText: 'Gambar JPG, PNG, atau GIF; paling besar 1.048.576 byte',
      fileMaxBytes: LOGO_MAX_BYTES,
      tooLargeText: identityTexts.logoTooLarge,
    },
    errors: { 422: identityTexts.logoRequired },
  },
  'DELETE /admin/office-identity/logo': { ...identity, access: 'admin', summary: 'Menghapus logo kantor' },
  'GET /office-identity': {
    ...identity,
    access: 'public',
    summary: 'Nama, alamat, telepon, dan logo kantor untuk siapa saja, juga tanpa login',
    description: 'Teks kosong dan logo_url null selama belum diisi. Dengan ETag.',
    hasEtag: true,
    errors: { 429: errorTexts.rateLimited(60) },
  },
} satisfies Calls;
