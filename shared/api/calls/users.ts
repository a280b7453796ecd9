import { accessTexts, errorTexts } from '../../texts.ts';
import { doneAnswer } from '../envelope.ts';
import { ownStatisticsAnswer } from '../tax-records/statistics.ts';
import { quotaAnswer } from '../tax-records/tax-records.ts';
import {
  createUserBody,
  oneAccountAnswer,
  oneUserAnswer,
  ownPasswordBody,
  ownPasswordTexts,
  recoveryCodeAnswer,
  recoveryCodeBody,
  resetPasswordBody,
  resetTexts,
  updateUserBody,
  usersAnswer,
  usersQuery,
} from '../users.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Kelola user (administrator)' } as const;
/** Errors of a change of administrators without the right password of the caller. */
const passwordErrors = { 422: ownPasswordTexts.missing, 429: errorTexts.rateLimited(900) };
const passwordRule =
  'Bila menyangkut akun administrator, current_password (password sendiri) wajib; administrator lain diberi tahu.';

export const userCalls = {
  'GET /admin/users': {
    ...admin,
    summary: 'Daftar user, terbaru lebih dulu',
    query: usersQuery,
    answer: usersAnswer,
  },
  'GET /admin/users/{id}': { ...admin, summary: 'Satu user', answer: oneAccountAnswer },
  'POST /admin/users': {
    ...admin,
    summary: 'Menambah user',
    description: passwordRule,
    body: createUserBody,
    answer: oneUserAnswer,
    status: 201,
    errors: passwordErrors,
  },
  'PUT /admin/users/{id}': {
    ...admin,
    summary: 'Mengubah user',
    description: `Kolom yang tidak dikirim tetap. Menonaktifkan atau mengubah peran mengakhiri sambungannya seketika. ${passwordRule}`,
    body: updateUserBody,
    answer: oneAccountAnswer,
    errors: { 404: errorTexts.userMissing, 409: errorTexts.conflict, ...passwordErrors },
  },
  'PUT /admin/users/{id}/toggle-status': {
    ...admin,
    summary: 'Mengaktifkan atau menonaktifkan user',
    description: passwordRule,
    body: ownPasswordBody,
    answer: oneUserAnswer,
    errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount, ...passwordErrors },
  },
  'PUT /admin/users/{id}/password': {
    ...admin,
    summary: 'Memberi password baru kepada user yang lupa',
    description: `Semua sesi akun itu berakhir seketika, dan perubahannya tercatat di riwayat tanpa passwordnya. Akun sendiri → 409: password sendiri diganti di Akun Saya (PUT /api/auth/password), dengan password lama. ${passwordRule}`,
    body: resetPasswordBody,
    answer: doneAnswer,
    errors: { 404: errorTexts.userMissing, 409: resetTexts.ownPassword, ...passwordErrors },
  },
  'POST /admin/users/{id}/recovery-code': {
    ...admin,
    summary: 'Membuat kode masuk untuk user yang lupa password',
    description: `Berlaku 24 jam dan satu kali; kode sebelumnya berakhir. checked: "counter" di loket, "phone" bila kantor menghubungi nomor HP yang sudah 7 hari milik akun itu saja. Untuk administrator, juga yang belum 24 jam tidak lagi: hanya oleh administrator lain yang akun dan passwordnya sudah 24 jam, dengan current_password.`,
    body: recoveryCodeBody,
    answer: recoveryCodeAnswer,
    status: 201,
    errors: {
      403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      404: errorTexts.userMissing,
      409: accessTexts.phoneNotProven,
      ...passwordErrors,
    },
  },
  'DELETE /admin/users/{id}/recovery-code': {
    ...admin,
    summary: 'Mencabut kode masuk yang belum dipakai',
    answer: doneAnswer,
    errors: { 404: accessTexts.noOpenCode },
  },
  'DELETE /admin/users/{id}': {
    ...admin,
    summary: 'Menghapus user beserta semua datanya',
    description: passwordRule,
    body: ownPasswordBody,
    answer: doneAnswer,
    errors: { 404: errorTexts.userMissing, 409: errorTexts.ownAccount, ...passwordErrors },
  },
  'GET /admin/users/{id}/statistics': {
    ...admin,
    summary: 'Statistik data PBB seorang pengguna',
    answer: ownStatisticsAnswer,
  },
  'GET /admin/users/{id}/quota': {
    ...admin,
    summary: 'Batas data PBB dan foto bukti seorang pengguna',
    answer: quotaAnswer,
  },
} satisfies Calls;
