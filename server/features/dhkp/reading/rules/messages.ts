import type { ProblemCode } from '../list-reading.ts';

/** The problems of a row and what to do, in Indonesian. */
export const PROBLEM_MESSAGES: Record<ProblemCode, string> = {
  nop_lost:
    'NOP disimpan sebagai angka, sehingga digit terakhirnya hilang. Minta berkas dengan kolom NOP berupa teks, lalu impor lagi.',
  nop_length: 'NOP harus 18 angka, atau 8 angka dengan awalan desa. Perbaiki di berkas, lalu impor lagi.',
  nop_missing: 'Baris ini punya ketetapan, tetapi NOP-nya kosong. Isi NOP di berkas, lalu impor lagi.',
  nop_invalid: 'Dua angka pertama NOP harus 11 sampai 99. Perbaiki di berkas, lalu impor lagi.',
  nop_double: 'NOP ini ada lebih dari sekali dengan isi yang berbeda. Sisakan satu baris di berkas, lalu impor lagi.',
  amount_missing: 'Ketetapan kosong. Isi angkanya di berkas (0 untuk nihil), lalu impor lagi.',
  amount_invalid:
    'Ketetapan tidak terbaca dengan pasti. Tulis angkanya saja di berkas, misalnya 45000, lalu impor lagi.',
  amount_negative: 'Ketetapan di bawah nol. Perbaiki di berkas, lalu impor lagi.',
  amount_range: 'Ketetapan lebih dari Rp 999.999.999.999. Perbaiki di berkas, lalu impor lagi.',
};

export const NOP_WITHOUT_PREFIX = 'NOP ini hanya 8 angka. Isi awalan desa (10 angka), lalu periksa lagi.';

export const MOVED_CELLS =
  'Baris ini punya lebih banyak kolom daripada judulnya, jadi isinya bergeser. Beri tanda kutip pada angka yang memakai koma, lalu impor lagi.';

/** Why a file cannot be read at all. */
export const FAILURES = {
  locked: 'Berkas dikunci kata sandi. Simpan ulang tanpa kata sandi.',
  broken: 'Berkas rusak atau tidak lengkap.',
  no_table: 'Tidak ada tabel dengan kolom NOP.',
  too_large: 'Berkas terlalu besar setelah dibuka (paling banyak 100.000 baris dan 200 kolom).',
  too_slow: 'Membaca berkas terlalu lama.',
} as const;
