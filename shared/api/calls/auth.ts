import { accessTexts, errorTexts, factorTexts } from '../../texts.ts';
import {
  adminContactAnswer,
  askRecoveryBody,
  changeOwnBody,
  changePasswordAnswer,
  changePasswordBody,
  completeRecoveryBody,
  loginBody,
  ownSessionsAnswer,
  ownUserAnswer,
  registerBody,
  sessionAnswer,
} from '../auth.ts';
import { doneAnswer } from '../envelope.ts';
import { noticeTexts } from '../notices.ts';
import { entranceAnswer } from '../second-factor.ts';
import { ownNoticesAnswer, securityLogAnswer } from '../security-log.ts';
import type { Calls } from './call.ts';

const signingIn = { access: 'public', tag: 'Autentikasi' } as const;
const signedIn = { access: 'session', tag: 'Autentikasi' } as const;
const ownAccount = { access: 'session', tag: 'Akun sendiri' } as const;

export const authCalls = {
  'POST /auth/login': {
    ...signingIn,
    summary: 'Masuk',
    description:
      'Akun dengan kode kedua dijawab { second_factor: true, ticket } tanpa token; lanjutkan dengan POST /auth/login/second-factor.',
    body: loginBody,
    answer: entranceAnswer,
    errors: { 401: errorTexts.wrongLogin, 403: errorTexts.inactiveAccount, 429: errorTexts.rateLimited(900) },
  },
  'POST /auth/register': {
    ...signingIn,
    summary: 'Mendaftar',
    body: registerBody,
    answer: sessionAnswer,
    status: 201,
    errors: { 429: errorTexts.rateLimited(900) },
  },
  'POST /auth/recovery': {
    ...signingIn,
    summary: 'Meminta kode masuk ke kantor',
    description:
      'identifier: email, nomor HP, atau kode kartu. Jawabannya sama, ada atau tidak akunnya; tidak ada yang dikirim dengan sendirinya.',
    body: askRecoveryBody,
    answer: doneAnswer,
    errors: { 429: errorTexts.rateLimited(3600) },
  },
  'POST /auth/recovery/complete': {
    ...signingIn,
    summary: 'Masuk dengan kode dari kantor dan memilih password baru',
    description: 'Semua sesi lain akun itu berakhir seketika. Akun dengan kode kedua dijawab dengan ticket.',
    body: completeRecoveryBody,
    answer: entranceAnswer,
    errors: { 403: factorTexts.removedEntry, 429: errorTexts.rateLimited(900) },
  },
  'POST /auth/logout': {
    ...signedIn,
    before: ['new password', 'second factor'],
    summary: 'Keluar',
    answer: doneAnswer,
  },
  'GET /auth/user': {
    ...signedIn,
    before: ['new password', 'second factor'],
    summary: 'Akun sendiri',
    answer: ownUserAnswer,
  },
  'GET /auth/admin-contact': {
    ...signedIn,
    summary: 'Administrator yang dapat dihubungi',
    answer: adminContactAnswer,
    errors: { 404: errorTexts.noAdmin },
  },
  'PUT /auth/user': {
    ...ownAccount,
    summary: 'Mengubah nama, email, dan nomor HP sendiri',
    description:
      'Email atau nomor HP lain butuh current_password (akun tanpa password: pin kartunya) dan mengakhiri semua sesi lain. Email lama masih 7 hari dapat meminta kode masuk, dan kantor dapat mengembalikannya.',
    body: changeOwnBody,
    answer: ownUserAnswer,
    errors: { 429: errorTexts.rateLimited(30) },
  },
  'PUT /auth/password': {
    ...ownAccount,
    before: ['new password'],
    summary: 'Mengubah password sendiri',
    description:
      'Semua sesi lain dari akun ini berakhir seketika; sesi ini tetap. Akun tanpa password memakai pin kartunya sebagai ganti current_password, setelah punya email.',
    body: changePasswordBody,
    answer: changePasswordAnswer,
    errors: { 409: accessTexts.emailFirst, 429: errorTexts.rateLimited(900) },
  },
  'GET /auth/sessions': { ...ownAccount, summary: 'Sesi sendiri yang masih berlaku', answer: ownSessionsAnswer },
  'DELETE /auth/sessions': { ...ownAccount, summary: 'Mengakhiri semua sesi lain', answer: doneAnswer },
  'DELETE /auth/sessions/{id}': { ...ownAccount, summary: 'Mengakhiri satu sesi sendiri', answer: doneAnswer },
  'GET /auth/security-log': {
    ...ownAccount,
    summary: 'Catatan keamanan akun sendiri, terbaru lebih dulu',
    description: 'Paling banyak 100. Tidak ada yang dapat menghapusnya selama akunnya ada.',
    answer: securityLogAnswer,
  },
  'GET /auth/notices': {
    ...ownAccount,
    summary: 'Yang dilakukan kantor pada akun sendiri dan belum disingkirkan, terbaru lebih dulu',
    answer: ownNoticesAnswer,
  },
  'POST /auth/notices/{id}/seen': {
    ...ownAccount,
    summary: 'Menyingkirkan sebuah pemberitahuan akun dan semua yang lebih lama',
    answer: doneAnswer,
    errors: { 404: noticeTexts.missing },
  },
} satisfies Calls;
