import { fieldsWhere } from '#shared/domain/tax-records/tax-record-fields.ts';
import { BODY_MAX_BYTES, BULK_RECORDS_MAX, OWN_RECORDS_DEFAULT } from '../../limits.ts';
import { checkTexts, dhkpTexts, errorTexts, fieldTexts } from '../../texts.ts';
import { auditAnswer, auditPageQuery } from '../audit.ts';
import { doneAnswer } from '../envelope.ts';
import { fileBody } from '../fields.ts';
import { recordSettingsAnswer, recordSettingsBody } from '../tax-records/record-settings.ts';
import {
  adoptAssessmentBody,
  adminCreateRecordBody,
  adminRecordsAnswer,
  adminRecordsQuery,
  adminUpdateRecordBody,
  bulkRecordsAnswer,
  bulkRecordsBody,
  createRecordBody,
  ownRecordsQuery,
  PROOF_FIELD,
  quotaAnswer,
  recordAnswer,
  recordsAnswer,
  updateRecordBody,
  verificationsAnswer,
} from '../tax-records/tax-records.ts';
import { adminStatisticsAnswer, ownStatisticsAnswer } from '../tax-records/statistics.ts';
import { autoCreateAnswer, autoCreateBody, checkYearAnswer, newYearAnswer } from '../tax-records/rollover.ts';
import {
  proofFromMessageBody,
  undoVerificationBody,
  verificationBody,
  verificationsQuery,
} from '../tax-records/verification.ts';
import type { Calls, FormShape } from './call.ts';

const own = { access: 'session', tag: 'Data PBB' } as const;
const admin = { access: 'admin', tag: 'Data pajak (admin)' } as const;

const ownMissing = { 404: errorTexts.recordMissing };
const adminMissing = { 404: errorTexts.adminRecordMissing };

/** A new record: what the form leaves out is absent. */
const createForm = {
  orJson: true,
  numbers: [...fieldsWhere({ kind: 'rupiah' }), ...fieldsWhere({ kind: 'year' })],
  booleans: ['remove_payment_proof'],
  files: [PROOF_FIELD],
} as const satisfies FormShape;
/** An edit carries the whole form (R-API-9): an optional field left out is emptied, a required one is missing. */
const editForm = {
  ...createForm,
  booleans: [...createForm.booleans, 'undo'],
  nullWhenMissing: fieldsWhere({ nullWhenMissing: true, adminOnly: false }),
} as const;
const adminEditForm = { ...createForm, nullWhenMissing: fieldsWhere({ nullWhenMissing: true }) } as const;

const formDescription =
  'Sebagai JSON, atau sebagai multipart/form-data dengan gambar di payment_proof (JPG, PNG, atau GIF; paling besar 5.242.880 byte).';
const editFormDescription = `${formDescription} JSON: bidang yang tidak dikirim tidak berubah. Formulir membawa semuanya: bidang opsional yang tidak dikirim dikosongkan, kecuali status dan gambar.`;

const history = { tag: 'Riwayat perubahan', query: auditPageQuery, answer: auditAnswer } as const;
const proofUpload = {
  description: 'multipart/form-data dengan gambar di payment_proof; menggantikan gambar yang lama.',
  body: fileBody(PROOF_FIELD),
  form: { files: [PROOF_FIELD] },
  answer: recordAnswer,
} as const;
const adoptAssessment = {
  summary: 'Mengambil nilai dari daftar kantor',
  description:
    'fields: name, address, amount, due_date. Hanya untuk data yang objeknya terhubung dengan akun pemilik (assessment tidak null) dan belum lunas.',
  body: adoptAssessmentBody,
  answer: recordAnswer,
} as const;
const proofFromMessage = {
  summary: 'Menyimpan foto dari percakapan sebagai bukti pembayaran',
  description:
    'attachment_id: foto JPG, PNG, atau GIF dari percakapan pemilik data. Yang disimpan adalah salinannya. status dan payment_date seperti pada perubahan data; tanpa status, status tidak berubah.',
  body: proofFromMessageBody,
  answer: recordAnswer,
  errors: {
    404: checkTexts.photoMissing,
    409: errorTexts.conflict,
    415: errorTexts.proofNotImage,
    429: errorTexts.rateLimited(10),
  },
} as const;

export const ownRecordCalls = {
  'GET /tax-records': {
    ...own,
    summary: 'Data PBB sendiri, terbaru lebih dulu',
    query: ownRecordsQuery,
    answer: recordsAnswer,
  },
  'GET /tax-records/outstanding': {
    ...own,
    summary: 'Tunggakan sendiri',
    query: ownRecordsQuery,
    answer: recordsAnswer,
  },
  'GET /tax-records/year/{year}': {
    ...own,
    summary: 'Data PBB sendiri dari satu tahun',
    query: ownRecordsQuery,
    answer: recordsAnswer,
    errors: { 422: fieldTexts.yearRange },
  },
  'POST /tax-records': {
    ...own,
    summary: 'Menambah data PBB',
    description: `${formDescription} Tahun: yang dikirim bila dibuka kantor untuk warga, selain itu tahun terbaru yang dibuka (awalnya hanya 2025). Jenis pajak selalu PBB.`,
    body: createRecordBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    form: createForm,
    answer: recordAnswer,
    status: 201,
  },
  'GET /tax-records/{id}': { ...own, summary: 'Satu data PBB sendiri', answer: recordAnswer, errors: ownMissing },
  'PUT /tax-records/{id}': {
    ...own,
    summary: 'Mengubah data PBB',
    description: `${editFormDescription} undo: menarik laporan pembayaran terakhir sendiri; hasil pencocokan sebelumnya berlaku lagi.`,
    body: updateRecordBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    form: editForm,
    answer: recordAnswer,
    errors: { ...ownMissing, 409: errorTexts.conflict },
  },
  'POST /tax-records/{id}/payment-proof': {
    ...own,
    ...proofUpload,
    summary: 'Mengunggah bukti pembayaran',
    errors: { ...ownMissing, 422: fieldTexts.proofRequired },
  },
  'POST /tax-records/{id}/adopt-assessment': {
    ...own,
    ...adoptAssessment,
    errors: { ...ownMissing, 409: dhkpTexts.recordPaid, 429: errorTexts.rateLimited(30) },
  },
  'DELETE /tax-records/{id}': {
    ...own,
    summary: 'Menghapus data PBB',
    answer: doneAnswer,
    errors: { ...ownMissing, 429: errorTexts.rateLimited(30) },
  },
  'POST /tax-records/{id}/payment-proof/from-message': { ...own, ...proofFromMessage },
  'GET /tax-records/{id}/history': { ...own, ...history, summary: 'Riwayat satu data PBB sendiri' },
  'GET /tax-records/statistics': {
    ...own,
    tag: 'Statistik',
    summary: 'Statistik data PBB sendiri',
    answer: ownStatisticsAnswer,
  },
  'GET /tax-records/quota': { ...own, summary: 'Batas data PBB dan foto bukti sendiri', answer: quotaAnswer },

  'GET /tax-records/check-year': {
    ...own,
    tag: 'Tahun baru',
    summary: 'Pergantian tahun: buat data tahun ini dari data tahun lalu bila belum ada',
    description:
      'Dengan pengaturan offer tidak ada yang dibuat: offered menghitung yang dapat dibuat. Dengan automatic nilainya 0.',
    answer: checkYearAnswer,
    // It reads and may write.
    errors: { 403: errorTexts.forbidden, 507: errorTexts.storageFull },
  },
  'GET /tax-records/new-year': {
    ...own,
    tag: 'Tahun baru',
    summary: 'Data tahun baru sebelum dibuat',
    description: `Persis yang akan dibuat auto-create untuk tahun ini dan tahun depan, paling banyak ${OWN_RECORDS_DEFAULT} data per tahun; total: semuanya. amount_source office: menurut daftar kantor, estimate: naik 10%.`,
    answer: newYearAnswer,
  },
  'POST /tax-records/auto-create': {
    ...own,
    tag: 'Tahun baru',
    summary: 'Buat data tahun baru dari data tahun sebelumnya',
    description:
      'Tanpa records semua yang belum ada dibuat, dengan jumlah naik 10%. Dengan records hanya yang disebut, semuanya atau tidak satu pun. confirmed: jumlahnya sesuai SPPT, juga bila sama dengan perkiraan. previewed: yang diubah adalah usulan dari new-year.',
    body: autoCreateBody,
    // The records that one call may name take more room than an ordinary body.
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: autoCreateAnswer,
    errors: {
      404: errorTexts.recordMissing,
      409: errorTexts.newYearTaken('32.04.010.005.012-0034.0', 2026),
      422: fieldTexts.yearRange,
    },
  },
} satisfies Calls;

export const adminRecordCalls = {
  'GET /admin/tax-records': {
    ...admin,
    summary: 'Data pajak semua warga',
    description:
      'search mencari di nama, alamat, nomor SPT, dan nama pemilik. outstanding=1: hanya tunggakan. unpaid=1: hanya yang belum lunas. proof=1: hanya yang ada bukti pembayarannya, proof=0: hanya yang tidak ada. verification: satu atau beberapa dari none, pending, matched, rejected, outdated, matched_unpaid (cocok tetapi belum lunas), dipisahkan koma. due_from, due_to, payment_from, payment_to: yyyy-mm-dd, batasnya ikut terhitung. sort: created_at, amount, year, name, due_date; tanda - di depan untuk urutan menurun. total_amount: jumlah rupiah semua data yang cocok; checked: yang lunas menurut pencocokan; estimated: yang belum lunas dan jumlahnya masih perkiraan.',
    query: adminRecordsQuery,
    answer: adminRecordsAnswer,
  },
  'POST /admin/tax-records': {
    ...admin,
    summary: 'Menambah data pajak untuk seorang warga',
    description: `${formDescription} Tanpa year: tahun ini.`,
    body: adminCreateRecordBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    form: createForm,
    answer: recordAnswer,
    status: 201,
  },
  'POST /admin/tax-records/bulk': {
    ...admin,
    summary: 'Mengubah status dan tanggal pembayaran banyak data',
    description: `Paling banyak ${BULK_RECORDS_MAX} data. Tiap data punya hasilnya sendiri: yang telah berubah sejak updated_at atau tidak ada lagi tidak diubah.`,
    body: bulkRecordsBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: bulkRecordsAnswer,
  },
  'GET /admin/tax-records/{id}': { ...admin, summary: 'Satu data pajak', answer: recordAnswer, errors: adminMissing },
  'PUT /admin/tax-records/{id}': {
    ...admin,
    summary: 'Mengubah data pajak',
    description: editFormDescription,
    body: adminUpdateRecordBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    form: adminEditForm,
    answer: recordAnswer,
    errors: { ...adminMissing, 409: errorTexts.conflict },
  },
  'POST /admin/tax-records/{id}/payment-proof': {
    ...admin,
    ...proofUpload,
    summary: 'Mengunggah bukti pembayaran seorang warga',
    errors: { ...adminMissing, 422: fieldTexts.proofRequired },
  },
  'POST /admin/tax-records/{id}/adopt-assessment': {
    ...admin,
    ...adoptAssessment,
    errors: { ...adminMissing, 409: dhkpTexts.recordPaid },
  },
  'DELETE /admin/tax-records/{id}': {
    ...admin,
    summary: 'Menghapus data pajak',
    answer: doneAnswer,
    errors: { ...adminMissing, 429: errorTexts.rateLimited(30) },
  },
  'POST /admin/tax-records/{id}/payment-proof/from-message': { ...admin, ...proofFromMessage },
  'GET /admin/tax-records/{id}/history': {
    ...admin,
    ...history,
    summary: 'Riwayat satu data pajak',
    description: 'Tetap ada setelah datanya dihapus.',
  },
  'GET /admin/statistics': {
    ...admin,
    tag: 'Statistik',
    summary: 'Statistik seluruh kantor',
    answer: adminStatisticsAnswer,
  },

  // The check of reported payments (R-CHECK).
  'GET /admin/verifications': {
    ...admin,
    summary: 'Laporan pembayaran warga menurut hasil pencocokan',
    description:
      'Tanpa state: pending, yang menunggu dicocokkan, laporan terlama lebih dulu. matched, rejected, outdated: pencocokan terbaru lebih dulu. sums: banyaknya dan jumlah rupiah setiap keadaan; unpaid: yang cocok tetapi belum lunas.',
    query: verificationsQuery,
    answer: verificationsAnswer,
  },
  'POST /admin/tax-records/{id}/verification': {
    ...admin,
    summary: 'Mencocokkan laporan pembayaran',
    description:
      'rejected memerlukan reason, yang juga disampaikan kepada warga lewat chat. Status hanya berubah bila dikirim: lunas dengan payment_date untuk matched, belum_lunas untuk rejected.',
    body: verificationBody,
    answer: recordAnswer,
    errors: { ...adminMissing, 409: errorTexts.conflict },
  },
  'DELETE /admin/tax-records/{id}/verification': {
    ...admin,
    summary: 'Membatalkan pencocokan dan status yang diubah bersamanya; laporannya menunggu lagi',
    body: undoVerificationBody,
    answer: recordAnswer,
    errors: { ...adminMissing, 409: errorTexts.conflict },
  },

  'GET /admin/record-settings': {
    ...admin,
    tag: 'Tahun baru',
    summary: 'Tahun pajak yang dapat diisi warga, dan cara tahun baru',
    answer: recordSettingsAnswer,
  },
  'PUT /admin/record-settings': {
    ...admin,
    tag: 'Tahun baru',
    summary: 'Menyimpan tahun pajak warga dan cara tahun baru',
    description:
      'user_years: 1 sampai 6 tahun berbeda, dari 2020 sampai tahun depan. rollover: automatic membuat data tahun baru sendiri, offer hanya menawarkannya. Bidang yang tidak dikirim tidak berubah.',
    body: recordSettingsBody,
    answer: recordSettingsAnswer,
    errors: { 422: fieldTexts.taxYearsInvalid },
  },
} satisfies Calls;
