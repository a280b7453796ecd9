import { errorTexts } from '../../texts.ts';
import {
  adminContactAnswer,
  changeNameBody,
  changePasswordAnswer,
  changePasswordBody,
  loginBody,
  ownSessionsAnswer,
  ownUserAnswer,
  registerBody,
  sessionAnswer,
} from '../auth.ts';
import { doneAnswer } from '../envelope.ts';
import type { Calls } from './call.ts';

const signingIn = { access: 'public', tag: 'Autentikasi' } as const;
const signedIn = { access: 'session', tag: 'Autentikasi' } as const;
const ownAccount = { access: 'session', tag: 'Akun sendiri' } as const;

export const authCalls = {
  'POST /auth/login': {
    ...signingIn,
    summary: 'Masuk',
    body: loginBody,
    answer: sessionAnswer,
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
  'POST /auth/logout': { ...signedIn, summary: 'Keluar', answer: doneAnswer },
  'GET /auth/user': { ...signedIn, summary: 'Akun sendiri', answer: ownUserAnswer },
  'GET /auth/admin-contact': {
    ...signedIn,
    summary: 'Administrator yang dapat dihubungi',
    answer: adminContactAnswer,
    errors: { 404: errorTexts.noAdmin },
  },
  'PUT /auth/user': {
    ...ownAccount,
    summary: 'Mengubah nama sendiri',
    body: changeNameBody,
    answer: ownUserAnswer,
    errors: { 429: errorTexts.rateLimited(30) },
  },
  'PUT /auth/password': {
    ...ownAccount,
    summary: 'Mengubah password sendiri',
    description: 'Semua sesi lain dari akun ini berakhir seketika; sesi ini tetap.',
    body: changePasswordBody,
    answer: changePasswordAnswer,
    errors: { 429: errorTexts.rateLimited(900) },
  },
  'GET /auth/sessions': { ...ownAccount, summary: 'Sesi sendiri yang masih berlaku', answer: ownSessionsAnswer },
  'DELETE /auth/sessions': { ...ownAccount, summary: 'Mengakhiri semua sesi lain', answer: doneAnswer },
  'DELETE /auth/sessions/{id}': { ...ownAccount, summary: 'Mengakhiri satu sesi sendiri', answer: doneAnswer },
} satisfies Calls;
