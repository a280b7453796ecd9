import type { ReportPeriod } from './domain/dates/dates.ts';
import { formatNumber } from './domain/money/rupiah.ts';
import { SESSION_ENDED } from './labels.ts';
import {
  AREAS_MAX,
  ASSISTED_OBJECTS_MAX,
  BULK_OBJECTS_MAX,
  BYTES_PER_MB,
  CLAIM_REASON_MAX,
  CLAIM_REASON_MIN,
  CONTROL_REASON_MAX,
  CONTROL_REASON_MIN,
  ERASURE_REASON_MAX,
  ERASURE_REASON_MIN,
  OPEN_CLAIMS_MAX,
  REPORT_YEARS_MAX,
  RETENTION_MONTHS_MAX,
  RETENTION_MONTHS_MIN,
  YEAR_MAX,
  YEAR_MIN,
} from './limits.ts';

/** Indonesian texts that more than one file shows. What the first page shows is in labels.ts. */

/** Texts of the error handler (R-API-13). */
export const errorTexts = {
  badFormat: 'Format data tidak valid',
  fieldInvalid: 'Isian tidak valid',
  sendingStopped: 'Pengiriman data terhenti. Periksa koneksi, lalu coba lagi.',
  sessionEnded: SESSION_ENDED,
  wrongLogin: 'Email atau password salah',
  forbidden: 'Anda tidak memiliki akses',
  inactiveAccount: 'Akun Anda tidak aktif. Silakan hubungi administrator.',
  recordMissing: 'Data PBB tidak ditemukan',
  adminRecordMissing: 'Data pajak tidak ditemukan',
  newYearTaken: (sptNumber: string, year: number) => `Data PBB tahun ${year} untuk nomor SPT ${sptNumber} sudah ada`,
  userMissing: 'User tidak ditemukan',
  noAdmin: 'Admin belum tersedia',
  pathMissing: 'Halaman tidak ditemukan',
  ownAccount: 'Anda tidak dapat menghapus, menonaktifkan, atau menurunkan akun sendiri',
  lastAdmin: 'Minimal harus ada satu admin aktif',
  conflict: 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.',
  proofTooLarge: 'Ukuran file maksimal 5MB',
  bodyTooLarge: 'Data terlalu besar',
  proofNotImage: 'File harus berupa gambar JPG, PNG, atau GIF',
  proofTooManyPixels: 'Gambar terlalu besar: paling banyak 50 juta piksel. Kecilkan gambarnya lalu coba lagi.',
  attachmentType: 'File harus berupa gambar JPG, PNG, GIF, WebP atau dokumen PDF',
  emailTaken: 'Email sudah terdaftar',
  server: 'Terjadi kesalahan pada server',
  busy: 'Server sedang sibuk. Coba lagi.',
  filesAway: 'Folder foto dan dokumen di server sedang tidak tersambung. Coba lagi nanti.',
  storageFull: 'Penyimpanan server penuh. Hubungi administrator.',
  rateLimited: (seconds: number) => `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.`,
} as const;

/** The name of every admin, as users read it. */
export const STAFF_NAME = 'Petugas';

/** Texts of the ways back into an account (R-ACCESS). */
export const accessTexts = {
  /** The same for known and unknown identifiers. */
  asked: 'Jika akun itu ada, kantor akan menghubungi Anda atau memberi kode di loket.',
  identifierRequired: 'Isi email, nomor HP, atau kode kartu',
  codeInvalid: 'Kode tidak berlaku. Minta kode baru di kantor.',
  noOpenCode: 'Tidak ada kode yang masih berlaku',
  checkedInvalid: 'Pilih cara memeriksa orangnya',
  phoneNotProven: 'Nomor HP akun ini baru atau dipakai beberapa akun. Minta datang ke loket.',
  phoneOfOwner: 'Nomor HP akun ini diatur pemiliknya sendiri',
  withoutEmail: 'Akun ini memakai kartu. Buat kartu baru.',
  inactive: 'Akun ini tidak aktif. Aktifkan dulu.',
  emailFirst: 'Isi email dulu.',
  requestMissing: 'Permintaan tidak ditemukan',
  tooEarly: (time: string) => `Anda baru dapat melakukan ini mulai ${time}.`,
  changePassword: 'Ganti password Anda dulu.',
  passwordOfOffice: 'Pilih password lain dari yang diberi kantor',
} as const;

/** Texts of cards and their PINs (R-ACCESS-40). */
export const cardTexts = {
  codeRequired: 'Isi kode kartu',
  activationRequired: 'Isi kode aktivasi',
  pinRequired: 'Isi PIN',
  confirmationRequired: 'Ulangi PIN',
  confirmationDiffers: 'PIN harus sama',
  pinWeak: 'Pilih PIN yang tidak mudah ditebak',
  /** The same for every wrong code and PIN, known or not. */
  wrong: 'Kode atau PIN salah',
  locked: (minutes: number) => `Terlalu banyak percobaan. Coba lagi dalam ${minutes} menit.`,
  blocked: 'Kartu ini diblokir. Hubungi kantor.',
  usersOnly: 'Kartu hanya untuk warga',
  missing: 'Akun ini belum memakai kartu',
  ownPinRequired: 'Masukkan PIN Anda',
  ownPinWrong: 'PIN salah',
  tooManyObjects: `Paling banyak ${ASSISTED_OBJECTS_MAX} objek sekaligus`,
} as const;

/** Texts of the second factor (R-ACCESS-60). */
export const factorTexts = {
  codeRequired: 'Isi kode',
  /** The same for a wrong code, and for a ticket that is unknown, used or old. */
  wrong: 'Kode salah',
  isOn: 'Kode kedua sudah terpasang',
  isOff: 'Kode kedua belum terpasang',
  ofUserOff: 'Akun ini tidak memakai kode kedua',
  notStarted: 'Mulai lagi dari "Pasang kode kedua"',
  /** The answer to every other call of an admin in an office that asks for a second factor. */
  setUpFirst: 'Pasang kode kedua dulu.',
  setupCodeRequired: 'Isi kode pemasangan',
  setupCodeWrong: 'Kode pemasangan tidak berlaku. Minta yang baru.',
  adminsOnly: 'Kode pemasangan hanya untuk administrator yang belum punya kode kedua',
  makerWithout: 'Pasang kode kedua Anda sendiri dulu',
  own: 'Kode kedua Anda sendiri dimatikan di Akun Saya',
  /** To an admin who took the factor away and now makes a way in. */
  removedMaker: (time: string) =>
    `Anda baru menghapus kode kedua akun ini. Sampai ${time} hanya administrator lain yang dapat membuat kode, kartu, atau password untuknya.`,
  /** To somebody who comes in by what that admin made. */
  removedEntry: 'Kode kedua akun ini baru dihapus kantor. Minta kode atau kartu dari administrator lain.',
} as const;

/** Texts of requests to delete the own account (R-ACCESS-85). */
export const erasureTexts = {
  waiting: 'Permintaan Anda masih menunggu',
  none: 'Belum ada permintaan hapus akun',
  noneOpen: 'Tidak ada permintaan yang masih menunggu',
  own: 'Permintaan sendiri diputuskan administrator lain.',
  tooEarly: (time: string) => `Baru dapat disetujui mulai ${time}, kecuali diperiksa di loket.`,
  resultInvalid: 'Pilih setujui atau tolak',
  reasonLength: `Alasan harus ${ERASURE_REASON_MIN} sampai ${ERASURE_REASON_MAX} karakter`,
  /** The message in the conversation. */
  rejected: (reason: string) => `Permintaan hapus akun Anda ditolak kantor: ${reason}`,
} as const;

/** '2 tahun', '18 bulan'; 0: 'selamanya'. */
export function termText(months: number): string {
  if (months === 0) return 'selamanya';
  return months % 12 === 0 ? `${months / 12} tahun` : `${months} bulan`;
}

/** Texts of the retention (R-ACCESS-91). */
export const retentionTexts = {
  messagesMonths: `Masa simpan pesan harus 0 (selamanya) atau ${RETENTION_MONTHS_MIN} sampai ${RETENTION_MONTHS_MAX} bulan`,
  accountsMonths: `Masa simpan akun harus 0 (selamanya) atau ${RETENTION_MONTHS_MIN} sampai ${RETENTION_MONTHS_MAX} bulan`,
  /** The deleted things, as the subject of a sentence; null: nothing. */
  deleted({ messages, accounts }: { messages: number; accounts: number }): string | null {
    const parts = [
      ...(messages > 0 ? [`pesan chat yang lebih lama dari ${termText(messages)}`] : []),
      ...(accounts > 0 ? [`akun warga yang tidak dipakai selama ${termText(accounts)}`] : []),
    ];
    return parts.length > 0 ? parts.join(' dan ') : null;
  },
} as const;

/** Texts of the inbox of the admins (R-INBOX). */
export const inboxTexts = {
  claimed: (name: string) => `Sedang ditangani ${name}`,
  newMessage: 'Ada pesan baru',
  answered: (name: string) => `${name} sudah membalas. Baca dulu sebelum mengirim.`,
  snoozeRange: 'Waktu tunda harus di masa depan dan paling lama 90 hari',
  quotedMissing: 'Pesan yang dikutip sudah tidak ada. Hapus kutipannya lalu kirim lagi.',
  attachmentMissing: 'Berkas lampiran tidak ada lagi di server. Lampirkan lagi lalu kirim ulang.',
  unsentMissing: 'Berkas tidak ada lagi di server atau sudah terkirim',
  sharedRecordMissing: 'Data PBB yang dibagikan tidak ditemukan. Lepaskan dari pesan lalu kirim lagi.',
} as const;

/** Texts of the name and the logo of the office (R-OFFICE-20). */
export const identityTexts = {
  whatsappInvalid: 'Nomor WhatsApp tidak valid',
  logoTooLarge: 'Ukuran logo maksimal 1MB',
  logoRequired: 'Pilih gambar logo',
} as const;

/** Texts of the check of reported payments (R-CHECK). */
export const checkTexts = {
  nothingReported: 'Tidak ada laporan pembayaran yang perlu dicocokkan untuk data ini',
  nothingToUndo: 'Laporan pembayaran ini belum dicocokkan',
  photoMissing: 'Foto tidak ditemukan dalam percakapan',
} as const;

/** Texts of the office's own list (R-DHKP). */
export const dhkpTexts = {
  fileRequired: 'Pilih berkas daftar',
  fileTooLarge: 'Ukuran berkas maksimal 20MB',
  fileType:
    'Berkas harus Excel (.xlsx, .xls, .xlsb), OpenDocument (.ods), atau CSV. Untuk PDF, minta berkas Excel-nya atau pakai "Tempel".',
  yearInvalid: 'Tahun pajak tidak valid',
  tooManyOpen: 'Selesaikan atau buang impor yang belum diterapkan dulu.',
  batchMissing: 'Impor tidak ditemukan',
  appliedNotDiscarded: 'Impor yang sudah diterapkan tidak dapat dibuang',
  columnsInvalid: 'Kolom tidak valid',
  columnsRequired: 'Pilih kolom NOP dan kolom ketetapan',
  choiceInvalid: 'Pilihan impor tidak valid',
  notChangeable: 'Impor ini tidak dapat diubah lagi',
  listChanged: 'Daftar berubah sejak diperiksa. Periksa lagi.',
  alreadyApplying: 'Impor ini sedang diterapkan',
  /** @param difference in rupiah */
  controlDiffers: (difference: number) =>
    `Jumlah kontrol berbeda Rp ${formatNumber(difference)}. Periksa, atau terapkan dengan alasan.`,
  onlyNewest: 'Hanya impor terakhir yang dapat dibatalkan',
  rowsUsed: (rows: number) => `${formatNumber(rows)} baris sudah dipakai (titipan, hubungan, atau perubahan)`,
  reasonLength: `Alasan harus ${CONTROL_REASON_MIN} sampai ${CONTROL_REASON_MAX} karakter`,
  fileGone: 'Berkas impor ini tidak disimpan lagi',
  unreadable: 'Berkas rusak atau tidak lengkap.',
  revertStopped: 'Pembatalan terhenti. Coba lagi.',
  reverting: 'Impor tahun ini sedang dibatalkan. Tunggu sebentar lalu coba lagi.',
  objectMissing: 'Objek tidak ditemukan',
  conditionInvalid: 'Keadaan objek tidak valid',
  collectorInvalid: 'Kolektor harus akun yang aktif',
  areaUnknown: 'Wilayah tidak ditemukan',
  objectsRequired: 'Pilih objek yang akan diubah',
  tooManyObjects: `Paling banyak ${formatNumber(BULK_OBJECTS_MAX)} objek sekaligus`,
  nothingToSet: 'Pilih yang akan diubah',
  blockInvalid: 'Blok harus tiga angka, masing-masing satu kali',
  prefixInvalid: 'Awalan NOP harus 10 angka',
  bookLimitsInvalid: 'Batas buku harus empat jumlah yang makin besar',
  dueDateInvalid: 'Tanggal jatuh tempo tidak valid',
  linkedTo: (name: string) => `Objek ini sudah terhubung dengan ${name}`,
  notLinked: 'Objek ini belum terhubung dengan akun',
  ownerIsAdmin: 'Administrator tidak dapat menjadi pemilik objek',
  fieldsRequired: 'Pilih yang diambil dari daftar kantor',
  /** Stands for the address that a list does not have. */
  addressNotListed: 'Tidak tercantum di daftar kantor',
  recordPaid: 'Data ini sudah lunas',
  noAssessment: 'Tidak ada ketetapan kantor untuk data ini',
} as const;

/** Texts of requests to link an object (R-DHKP-33). */
export const claimTexts = {
  sent: 'Permintaan dikirim ke kantor.',
  nopInvalid: 'NOP harus 18 angka',
  tooManyOpen: `Masih ada ${OPEN_CLAIMS_MAX} permintaan yang belum dijawab`,
  missing: 'Permintaan tidak ditemukan',
  answered: (name: string) => `Permintaan ini sudah dijawab ${name}`,
  reasonLength: `Alasan harus ${CLAIM_REASON_MIN} sampai ${CLAIM_REASON_MAX} karakter`,
  otherObject: 'Objek itu tidak sesuai dengan NOP permintaan',
  /** The notices in the conversation; the NOP as people read it. */
  noticeSent: (nop: string) => `Permintaan data dari daftar kantor: NOP ${nop}`,
  noticeApproved: (nop: string) =>
    `Permintaan NOP ${nop} disetujui kantor. Objek ini sekarang terhubung dengan akun Anda.`,
  noticeRejected: (nop: string, reason: string) => `Permintaan NOP ${nop} ditolak kantor: ${reason}`,
} as const;

/** Texts of the areas of a village (R-DHKP-20). */
export const areaTexts = {
  missing: 'Wilayah tidak ditemukan',
  nameRequired: 'Nama wilayah wajib diisi',
  kindInvalid: 'Jenis wilayah tidak valid',
  parentInvalid: 'Wilayah di atasnya tidak valid',
  nameTaken: 'Nama wilayah ini sudah dipakai',
  tooMany: `Paling banyak ${formatNumber(AREAS_MAX)} wilayah`,
  hasObjects: (objects: number) => `Wilayah ini masih dipakai ${formatNumber(objects)} objek`,
  hasAreas: (areas: number) => `Wilayah ini masih memuat ${formatNumber(areas)} wilayah`,
} as const;

export type QuotaTexts = { records: (max: number) => string; proofs: (maxBytes: number) => string };

/** Texts of an account that has reached its quota (R-REC-27). */
export const quotaTexts = {
  own: {
    records: (max) =>
      `Jumlah data PBB Anda sudah mencapai batas (${formatNumber(max)} data). Hapus data yang tidak dipakai atau hubungi administrator.`,
    proofs: (maxBytes) =>
      `Ruang foto bukti Anda penuh (${megabytes(maxBytes)} MB). Hapus foto lama atau hubungi administrator.`,
  },
  admin: {
    records: (max) =>
      `Akun ini sudah mencapai batas (${formatNumber(max)} data PBB). Hapus data yang tidak dipakai, atau minta pengelola server menaikkan batasnya.`,
    proofs: (maxBytes) =>
      `Ruang foto bukti akun ini penuh (${megabytes(maxBytes)} MB). Hapus foto lama, atau minta pengelola server menaikkan batasnya.`,
  },
} as const satisfies Record<'own' | 'admin', QuotaTexts>;

const megabytes = (bytes: number): string => formatNumber(Math.round(bytes / BYTES_PER_MB));

/** Messages of fields. Some forms word the same error differently on purpose (R-REC-5 to R-REC-8). */
export const fieldTexts = {
  nameRequired: 'Nama wajib diisi',
  nameOfAdmin: 'Nama ini milik petugas kantor. Isi nama lengkap Anda.',
  emailRequired: 'Email wajib diisi',
  emailInvalid: 'Email harus valid',
  phoneInvalid: 'Nomor HP tidak valid',
  passwordRequired: 'Password wajib diisi',
  passwordMin8: 'Password minimal 8 karakter',
  passwordMin6: 'Password minimal 6 karakter',
  confirmationRequired: 'Konfirmasi password wajib diisi',
  confirmationDiffers: 'Password harus sama',
  addressRequired: 'Alamat wajib diisi',
  taxTypeRequired: 'Jenis pajak wajib diisi',
  sptRequired: 'Nomor SPT wajib diisi',
  yearRequired: 'Tahun wajib diisi',
  amountRequired: 'Jumlah wajib diisi',
  statusRequired: 'Status wajib diisi',
  userEditIncomplete: 'Mohon lengkapi data yang wajib diisi',
  amountInvalid: 'Jumlah pajak harus berupa angka yang valid',
  pickUser: 'Pilih user terlebih dahulu',
  adminCreateIncomplete: 'Mohon lengkapi semua field wajib',
  adminEditIncomplete: 'Mohon lengkapi semua field yang wajib diisi',
  paymentDateRequired: 'Tanggal pembayaran wajib diisi jika status Lunas',
  adminUserIncomplete: 'Nama, email, dan password wajib diisi',
  userNameEmailRequired: 'Nama dan email wajib diisi',
  statusInvalid: 'Status tidak valid',
  taxTypeInvalid: 'Jenis pajak tidak valid',
  propertyTypeInvalid: 'Jenis properti tidak valid',
  yearRange: `Tahun harus antara ${YEAR_MIN} dan ${YEAR_MAX}`,
  amountRange: 'Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal',
  taxYearsInvalid: 'Tahun pajak tidak valid',
  rolloverModeInvalid: 'Pilihan tahun baru tidak valid',
  sourcesRequired: 'Pilih data yang akan dibuat',
  sourceTwice: 'Setiap data hanya boleh dipilih satu kali',
  sourceOfYear: (year: number) => `Data yang disalin harus dari tahun ${year}`,
  proofRequired: 'Bukti pembayaran wajib diunggah',
  periodInvalid: 'Periode laporan tidak valid',
  transcriptPeriodInvalid: 'Tanggal tidak valid',
  periodOrder: 'Tanggal awal tidak boleh setelah tanggal akhir',
  periodTooLong: `Periode laporan paling lama ${REPORT_YEARS_MAX} tahun`,
  receiverRequired: 'Penerima pesan wajib diisi',
  clientIdInvalid: 'client_id tidak valid',
  flagInvalid: 'Pilihan harus ya atau tidak',
  changesRequired: 'Pilih data yang akan diubah',
  changesTooMany: (max: number) => `Paling banyak ${formatNumber(max)} data sekaligus`,
  updatedAtInvalid: 'Waktu perubahan data tidak valid. Muat ulang lalu coba lagi.',
  checkResultInvalid: 'Hasil pencocokan tidak valid',
  attachmentRequired: 'Pilih foto dari percakapan',
  fileRequired: 'Pilih foto atau dokumen yang akan dikirim',
  unsentTooMany: (max: number) =>
    `Ada ${max} berkas yang sudah diunggah tetapi belum terkirim. Kirim atau buang pesannya dulu; yang tidak terkirim dihapus setelah 24 jam.`,
  attachmentsTooMany: (max: number) => `Satu pesan memuat paling banyak ${max} berkas`,
  required: (label: string) => `${label} wajib diisi`,
  tooLong: (label: string, max: number) => `${label} maksimal ${max} karakter`,
} as const;

export const periodLabels = {
  this_month: 'Bulan Ini',
  last_month: 'Bulan Lalu',
  this_quarter: 'Kuartal Ini',
  this_year: 'Tahun Ini',
  last_year: 'Tahun Lalu',
} as const satisfies Record<ReportPeriod, string>;
