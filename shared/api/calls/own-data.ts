import { errorTexts } from '../../texts.ts';
import { doneAnswer } from '../envelope.ts';
import { consentBody, ownDataTexts, ownExportAnswer } from '../own-data.ts';
import { ownPasswordTexts, ownSecretBody } from '../users.ts';
import type { Calls } from './call.ts';

const ownAccount = { access: 'session', tag: 'Akun sendiri' } as const;

export const ownDataCalls = {
  'POST /auth/export': {
    ...ownAccount,
    summary: 'Membuat salinan data sendiri',
    description:
      'Berkas .zip berisi data.json, data-pbb.html, percakapan.html, serta foto dan dokumen. Salinan dibuat satu per satu; yang lain menunggu giliran. Paling banyak 3 kali sehari.',
    body: ownSecretBody,
    answer: ownExportAnswer,
    status: 202,
    errors: {
      409: ownDataTexts.running,
      422: ownPasswordTexts.wrong,
      429: ownDataTexts.tooMany,
      507: errorTexts.storageFull,
    },
  },
  'GET /auth/export': {
    ...ownAccount,
    summary: 'Keadaan salinan data sendiri',
    description:
      'url adalah tautan unduhan selama sepuluh menit dan hanya selama sesi ini berlaku; tidak memerlukan header. Jawaban berikutnya berisi tautan baru.',
    answer: ownExportAnswer,
  },
  'GET /auth/export-files/{ticket}': {
    access: 'public',
    tag: 'Akun sendiri',
    summary: 'Mengunduh salinan data sendiri',
    description: 'ticket adalah bagian terakhir dari url; tidak memerlukan header.',
    fileTypes: ['application/zip'],
    errors: { 404: errorTexts.pathMissing },
  },
  'POST /auth/consents': {
    ...ownAccount,
    summary: 'Menyetujui syarat atau kebijakan privasi yang berlaku',
    description: 'document dan version seperti dalam consents_due dari GET /auth/user.',
    body: consentBody,
    answer: doneAnswer,
    errors: { 422: ownDataTexts.versionOld },
  },
} satisfies Calls;
