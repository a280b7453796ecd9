import { accessTexts, errorTexts, factorTexts } from '../../texts.ts';
import { doneAnswer } from '../envelope.ts';
import {
  confirmedFactorAnswer,
  confirmFactorBody,
  endFactorBody,
  resetFactorBody,
  secondStepBody,
  setupCodeAnswer,
  setupCodeBody,
  startedFactorAnswer,
  startFactorBody,
} from '../second-factor.ts';
import { sessionAnswer } from '../auth.ts';
import { ownPasswordTexts } from '../users.ts';
import type { Calls } from './call.ts';

const ownAccount = { access: 'session', tag: 'Akun sendiri' } as const;
const admin = { access: 'admin', tag: 'Kelola user (administrator)' } as const;
const triesText =
  'Setelah 5 kode salah dalam 15 menit akun menunggu 15 menit, lalu tiap kali dua kali lebih lama, paling lama sehari.';
const seasonedErrors = {
  403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
  404: errorTexts.userMissing,
  422: ownPasswordTexts.missing,
  429: errorTexts.rateLimited(900),
};

export const secondFactorCalls = {
  'POST /auth/login/second-factor': {
    access: 'public',
    tag: 'Autentikasi',
    summary: 'Langkah kedua untuk masuk: kode dari aplikasi atau kode cadangan',
    description: `ticket berasal dari langkah pertama (login, kartu, aktivasi, atau kode kantor) dan berakhir setelah 5 menit, 5 kode salah, atau berhasil. ${triesText}`,
    body: secondStepBody,
    answer: sessionAnswer,
    errors: { 429: errorTexts.rateLimited(900) },
  },
  'POST /auth/second-factor': {
    ...ownAccount,
    before: ['second factor'],
    summary: 'Mulai memasang kode kedua',
    description:
      'Butuh current_password (akun tanpa password: pin kartunya). Bila kantor mewajibkan kode kedua, administrator juga perlu setup_code. Belum berlaku sebelum dikonfirmasi.',
    body: startFactorBody,
    answer: startedFactorAnswer,
    errors: { 409: factorTexts.isOn, 429: errorTexts.rateLimited(900) },
  },
  'POST /auth/second-factor/confirm': {
    ...ownAccount,
    before: ['second factor'],
    summary: 'Memasang kode kedua dengan kode pertama dari aplikasi',
    description: `Jawabannya sepuluh kode cadangan, hanya sekali. Semua sesi lain akun itu berakhir. ${triesText}`,
    body: confirmFactorBody,
    answer: confirmedFactorAnswer,
    errors: { 409: factorTexts.notStarted, 429: errorTexts.rateLimited(900) },
  },
  'DELETE /auth/second-factor': {
    ...ownAccount,
    summary: 'Mematikan kode kedua sendiri',
    description: `Butuh password sendiri (atau pin) dan sebuah kode. ${triesText}`,
    body: endFactorBody,
    answer: doneAnswer,
    errors: { 409: factorTexts.isOff, 429: errorTexts.rateLimited(900) },
  },
  'DELETE /admin/users/{id}/second-factor': {
    ...admin,
    summary: 'Menghapus kode kedua seorang user yang datang ke loket',
    description:
      'Semua sesi akun itu berakhir. Sampai 24 jam kemudian, kode, kartu, atau password untuk akun itu hanya berlaku bila berasal dari administrator lain. Untuk administrator: hanya oleh administrator lain yang akun dan passwordnya sudah 24 jam, dengan current_password.',
    body: resetFactorBody,
    answer: doneAnswer,
    errors: { ...seasonedErrors, 409: factorTexts.ofUserOff },
  },
  'POST /admin/users/{id}/second-factor-code': {
    ...admin,
    summary: 'Membuat kode pemasangan untuk administrator yang belum punya kode kedua',
    description:
      'Berlaku 24 jam dan satu kali; yang sebelumnya berakhir. Hanya oleh administrator yang sudah punya kode kedua dan akun serta passwordnya sudah 24 jam, dengan current_password.',
    body: setupCodeBody,
    answer: setupCodeAnswer,
    status: 201,
    errors: { ...seasonedErrors, 409: factorTexts.adminsOnly },
  },
} satisfies Calls;
