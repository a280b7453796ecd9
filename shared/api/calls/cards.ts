import { accessTexts, cardTexts, dhkpTexts, errorTexts } from '../../texts.ts';
import { activateCardBody, assistedBody, cardsInUseAnswer, enterByCardBody, madeCardAnswer } from '../cards.ts';
import { doneAnswer } from '../envelope.ts';
import { entranceAnswer } from '../second-factor.ts';
import { oneAccountAnswer, ownPasswordBody, ownPasswordTexts } from '../users.ts';
import type { Calls } from './call.ts';

const signingIn = { access: 'public', tag: 'Autentikasi' } as const;
const admin = { access: 'admin', tag: 'Kelola user (administrator)' } as const;

export const cardCalls = {
  'GET /auth/card': {
    ...signingIn,
    summary: 'Apakah kantor ini memakai kartu warga',
    answer: cardsInUseAnswer,
  },
  'POST /auth/card': {
    ...signingIn,
    summary: 'Masuk dengan kartu dan PIN',
    description:
      'Setelah 5 PIN salah dalam 15 menit kartu terkunci 15 menit, lalu tiap kali dua kali lebih lama, paling lama sehari; setelah 20 diblokir. Perangkat yang pernah masuk dengan kartu ini (device_token) dihitung sendiri. Akun dengan kode kedua dijawab dengan ticket.',
    body: enterByCardBody,
    answer: entranceAnswer,
    errors: { 401: cardTexts.wrong, 403: cardTexts.blocked, 429: cardTexts.locked(15) },
  },
  'POST /auth/card/activate': {
    ...signingIn,
    summary: 'Mengaktifkan kartu baru dan memilih PIN',
    description: 'Kode aktivasi berlaku 30 hari dan satu kali, dan berakhir setelah 10 kali salah.',
    body: activateCardBody,
    answer: entranceAnswer,
    errors: { 401: cardTexts.wrong, 403: errorTexts.inactiveAccount, 429: cardTexts.locked(15) },
  },
  'POST /admin/users/assisted': {
    ...admin,
    summary: 'Membuat akun warga tanpa email',
    description:
      'email berisi w-{nomor akun}@tanpa-email.invalid dan has_email false. Objek dari assessment_ids dihubungkan dengan akun itu. Orangnya masuk dengan kartu.',
    body: assistedBody,
    answer: oneAccountAnswer,
    status: 201,
    errors: { 404: dhkpTexts.objectMissing, 409: errorTexts.conflict },
  },
  'POST /admin/users/{id}/card': {
    ...admin,
    summary: 'Membuat kartu untuk seorang warga',
    description:
      'Kartu sebelumnya, kode aktivasinya, dan sesi yang masuk dengannya berakhir seketika. PIN dipilih pemegangnya, tidak pernah kantor. Untuk akun yang belum 24 jam tidak lagi administrator: hanya oleh administrator yang akun dan passwordnya sudah 24 jam, dengan current_password.',
    body: ownPasswordBody,
    answer: madeCardAnswer,
    status: 201,
    errors: {
      403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      404: errorTexts.userMissing,
      409: cardTexts.usersOnly,
      422: ownPasswordTexts.missing,
      429: errorTexts.rateLimited(900),
    },
  },
  'DELETE /admin/users/{id}/card': {
    ...admin,
    summary: 'Mencabut kartu seorang warga',
    description: 'Kartu, kode aktivasinya, dan sesi yang masuk dengannya berakhir seketika.',
    answer: doneAnswer,
    errors: { 404: cardTexts.missing },
  },
} satisfies Calls;
