import { claimTexts, dhkpTexts, errorTexts } from '../../texts.ts';
import {
  approveClaimBody,
  claimAnswer,
  claimBody,
  claimsAnswer,
  claimsQuery,
  oneClaimAnswer,
  ownClaimsAnswer,
  ownClaimsQuery,
  rejectClaimBody,
} from '../dhkp/claims.ts';
import { doneAnswer } from '../envelope.ts';
import type { Calls } from './call.ts';

const own = { access: 'session', tag: 'Permintaan objek' } as const;
const admin = { access: 'admin', tag: 'Permintaan objek (admin)' } as const;
const unknownClaim = { 404: claimTexts.missing };

export const claimCalls = {
  'POST /tax-records/claims': {
    ...own,
    summary: 'Meminta kantor menghubungkan sebuah objek dengan akun sendiri',
    description:
      'Jawabannya sama, baik NOP ada di daftar kantor maupun tidak. NOP yang masih menunggu jawaban menjawab 200 dan tidak menambah apa pun. attachment_id: berkas yang sudah diunggah untuk chat. Id-nya ada di GET. Admin mendapat 403.',
    body: claimBody,
    answer: claimAnswer,
    status: 'new 201, else 200',
    errors: {
      403: errorTexts.forbidden,
      404: 'Berkas lampiran tidak ada lagi di server. Lampirkan lagi lalu kirim ulang.',
      422: claimTexts.nopInvalid,
      429: errorTexts.rateLimited(3600),
      507: errorTexts.storageFull,
    },
  },
  'GET /tax-records/claims': {
    ...own,
    summary: 'Permintaan sendiri, terbaru lebih dulu',
    query: ownClaimsQuery,
    answer: ownClaimsAnswer,
  },
  'DELETE /tax-records/claims/{id}': {
    ...own,
    summary: 'Menarik permintaan yang belum dijawab',
    answer: doneAnswer,
    errors: { ...unknownClaim, 409: claimTexts.answered('Ibu Ratna') },
  },
  'GET /admin/claims': {
    ...admin,
    summary: 'Permintaan warga, terlama lebih dulu bila state=open, selain itu terbaru lebih dulu',
    description:
      'state: open, approved, rejected; tanpa state semuanya. assessments: ketetapan NOP itu yang terdaftar.',
    query: claimsQuery,
    answer: claimsAnswer,
  },
  'POST /admin/claims/{id}/approve': {
    ...admin,
    summary: 'Menyetujui permintaan: objeknya dihubungkan dengan akun pemohon',
    body: approveClaimBody,
    answer: oneClaimAnswer,
    errors: { ...unknownClaim, 409: claimTexts.answered('Ibu Ratna'), 422: dhkpTexts.ownerIsAdmin },
  },
  'POST /admin/claims/{id}/reject': {
    ...admin,
    summary: 'Menolak permintaan dengan alasan, yang disampaikan lewat chat',
    body: rejectClaimBody,
    answer: oneClaimAnswer,
    errors: { ...unknownClaim, 409: claimTexts.answered('Ibu Ratna'), 422: claimTexts.reasonLength },
  },
} satisfies Calls;
