import { accessTexts, erasureTexts, errorTexts } from '../../texts.ts';
import {
  askErasureBody,
  decideErasureBody,
  erasuresAnswer,
  erasuresQuery,
  erasureTermsAnswer,
  ownErasureAnswer,
} from '../erasures.ts';
import { ownPasswordTexts } from '../users.ts';
import type { Calls } from './call.ts';

const own = { access: 'session', tag: 'Hapus akun sendiri' } as const;
const admin = { access: 'admin', tag: 'Permintaan hapus akun (administrator)' } as const;
const passwordErrors = { 422: ownPasswordTexts.wrong, 429: errorTexts.rateLimited(900) };

export const erasureCalls = {
  'POST /auth/erasure': {
    ...own,
    summary: 'Meminta kantor menghapus akun sendiri',
    description:
      'Butuh current_password. Kantor memutuskan paling lambat pada due_at; sampai saat itu permintaannya dapat dibatalkan.',
    body: askErasureBody,
    answer: ownErasureAnswer,
    status: 201,
    errors: { 409: erasureTexts.waiting, 507: errorTexts.storageFull, ...passwordErrors },
  },
  'GET /auth/erasure': {
    ...own,
    summary: 'Permintaan hapus akun sendiri yang terakhir',
    description: 'reason: alasan sendiri; setelah ditolak, alasan kantor.',
    answer: ownErasureAnswer,
    errors: { 404: erasureTexts.none },
  },
  'GET /auth/erasure/terms': {
    ...own,
    summary: 'Tenggat kantor, dan berapa lama cadangan kantor masih memuat yang dihapus',
    answer: erasureTermsAnswer,
  },
  'DELETE /auth/erasure': {
    ...own,
    summary: 'Membatalkan permintaan hapus akun sendiri',
    answer: ownErasureAnswer,
    errors: { 404: erasureTexts.noneOpen },
  },
  'GET /admin/erasures': {
    ...admin,
    summary: 'Permintaan hapus akun yang masih terbuka, tenggat terdekat lebih dulu',
    description: 'approvable_at: sejak saat itu dapat disetujui tanpa diperiksa di loket.',
    query: erasuresQuery,
    answer: erasuresAnswer,
  },
  'POST /admin/users/{id}/erasure': {
    ...admin,
    summary: 'Menyetujui atau menolak permintaan hapus akun',
    description:
      'Butuh current_password. Menyetujui menghapus akun beserta semua datanya, seperti DELETE /api/admin/users/{id}; riwayat perubahan tetap. Baru 24 jam setelah diminta, kecuali checked "counter". Menolak butuh reason 3 sampai 500 karakter, yang disampaikan lewat chat. Akun administrator: hanya oleh administrator lain yang akun dan passwordnya sudah 24 jam.',
    body: decideErasureBody,
    answer: ownErasureAnswer,
    errors: {
      403: accessTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      404: accessTexts.requestMissing,
      409: erasureTexts.tooEarly('11 Juni 2026 pukul 12.00'),
      ...passwordErrors,
    },
  },
} satisfies Calls;
