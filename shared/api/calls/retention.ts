import { accessTexts, errorTexts } from '../../texts.ts';
import { retentionAnswer, retentionBody } from '../retention.ts';
import { ownPasswordTexts } from '../users.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Masa simpan (administrator)', answer: retentionAnswer } as const;

export const retentionCalls = {
  'GET /admin/retention': {
    ...admin,
    summary: 'Berapa lama pesan dan akun yang tidak dipakai disimpan',
    description:
      '0: selamanya. older: berapa yang akan dihapus dengan masa simpan itu menurut jam komputer hari ini. Penghapusan pertama terjadi pada malam sesudah starts_at.',
  },
  'PUT /admin/retention': {
    ...admin,
    summary: 'Mengubah masa simpan',
    description:
      'Butuh current_password; hanya oleh administrator yang akun dan passwordnya sudah 24 jam. 0, atau 6 sampai 600 bulan. Menurunkan angka memulai pengumuman 30 hari dari awal.',
    body: retentionBody,
    errors: {
      403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      422: ownPasswordTexts.wrong,
      429: errorTexts.rateLimited(900),
    },
  },
} satisfies Calls;
