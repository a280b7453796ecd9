import { BODY_MAX_BYTES, BULK_OBJECTS_MAX, LIST_FILE_MAX_BYTES } from '../../limits.ts';
import { dhkpTexts, errorTexts } from '../../texts.ts';
import {
  assessmentAnswer,
  assessmentsAnswer,
  assessmentsQuery,
  assessmentWithHistoryAnswer,
  bulkAssessmentsAnswer,
  bulkAssessmentsBody,
  updateAssessmentBody,
} from '../dhkp/assessments.ts';
import {
  applyBatchBody,
  batchAnswer,
  batchChoicesBody,
  batchesAnswer,
  batchesQuery,
  batchRowsAnswer,
  batchRowsQuery,
  createBatchBody,
  LIST_FILE_FIELD,
  revertBatchBody,
} from '../dhkp/batches.ts';
import { linkBody, matchesAnswer, matchesQuery } from '../dhkp/linking.ts';
import { blocksAnswer, blocksBody, dhkpSettingsAnswer, dhkpSettingsBody } from '../dhkp/settings.ts';
import { doneAnswer } from '../envelope.ts';
import type { Calls } from './call.ts';

const admin = { access: 'admin', tag: 'Daftar objek (DHKP)' } as const;
const unknownBatch = { 404: dhkpTexts.batchMissing };
const unknownObject = { 404: dhkpTexts.objectMissing };

export const dhkpCalls = {
  'GET /admin/dhkp': {
    ...admin,
    summary: 'Daftar objek kantor, satu baris satu objek dalam satu tahun pajak',
    description:
      'Tanpa year: tahun terbaru yang ada daftarnya. search mencari di NOP (dengan atau tanpa titik, mulai 4 angka), nama, dan alamat. area_id: beserta semua wilayah di bawahnya. book: 1 sampai 5. linked, listed, handed_out: 1 atau 0. paid: no, held, deposited, authority (lunas menurut kantor pajak). sort: nop, name, amount, area; tanda - di depan untuk urutan menurun. total_amount: jumlah rupiah semua yang cocok.',
    query: assessmentsQuery,
    answer: assessmentsAnswer,
  },
  'POST /admin/dhkp/bulk': {
    ...admin,
    summary: 'Mengubah banyak objek sekaligus',
    description: `ids, atau filter dengan nama seperti di GET /admin/dhkp; paling banyak ${BULK_OBJECTS_MAX} objek. set: bidang yang diubah; yang tidak dikirim tidak berubah. Wilayah dan kolektor diingat untuk NOP-nya.`,
    body: bulkAssessmentsBody,
    // Thousands of ids take more room than an ordinary body.
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: bulkAssessmentsAnswer,
    errors: { 409: dhkpTexts.reverting, 422: dhkpTexts.tooManyObjects },
  },
  'GET /admin/dhkp/blocks': { ...admin, summary: 'Wilayah tiap blok', answer: blocksAnswer },
  'PUT /admin/dhkp/blocks': {
    ...admin,
    summary: 'Menyimpan wilayah tiap blok',
    description:
      'Menggantikan seluruh daftar. Blok (angka 11 sampai 13 NOP) menentukan wilayah objek yang tidak punya wilayah sendiri dan yang berkasnya tidak menyebut wilayah yang ada. area_id null: blok tanpa wilayah.',
    body: blocksBody,
    // A thousand blocks take a little more room than an ordinary body.
    bodyMaxBytes: BODY_MAX_BYTES,
    answer: blocksAnswer,
    errors: { 422: dhkpTexts.areaUnknown },
  },
  'GET /admin/dhkp/settings': { ...admin, summary: 'Pengaturan daftar objek', answer: dhkpSettingsAnswer },
  'PUT /admin/dhkp/settings': {
    ...admin,
    summary: 'Menyimpan pengaturan daftar objek',
    description:
      'prefix: 10 angka pertama NOP desa, untuk NOP yang ditulis pendek. book_limits: jumlah terbesar buku I sampai IV. due_date_by_year: jatuh tempo tiap tahun, bila berkas tidak memuatnya. Bidang yang tidak dikirim tidak berubah.',
    body: dhkpSettingsBody,
    answer: dhkpSettingsAnswer,
  },

  'POST /admin/dhkp/batches': {
    ...admin,
    summary: 'Mengimpor daftar dari kantor pajak',
    description:
      'multipart/form-data dengan berkas di file, atau JSON dengan sel yang ditempel di text. Berkas dibaca di belakang layar: event dhkp:batch memberi tahu keadaannya. Aman diulang: client_id yang sama menjawab 200 dengan impor pertama.',
    body: createBatchBody,
    bodyMaxBytes: BODY_MAX_BYTES,
    form: {
      orJson: true,
      numbers: ['year'],
      files: [LIST_FILE_FIELD],
      fileText: 'Excel (.xlsx, .xlsm, .xlsb, .xls), OpenDocument (.ods), CSV, TSV; paling besar 20.971.520 byte',
      fileMaxBytes: LIST_FILE_MAX_BYTES,
      tooLargeText: dhkpTexts.fileTooLarge,
    },
    answer: batchAnswer,
    status: 'new 201, else 200',
    errors: { 409: dhkpTexts.tooManyOpen, 415: dhkpTexts.fileType, 422: dhkpTexts.fileRequired },
  },
  'GET /admin/dhkp/batches': {
    ...admin,
    summary: 'Impor, terbaru lebih dulu',
    query: batchesQuery,
    answer: batchesAnswer,
  },
  'GET /admin/dhkp/batches/{id}': { ...admin, summary: 'Satu impor', answer: batchAnswer, errors: unknownBatch },
  'PUT /admin/dhkp/batches/{id}': {
    ...admin,
    summary: 'Mengubah pilihan sebuah impor; berkasnya dibaca lagi',
    description:
      'Bidang yang tidak dikirim tidak berubah. sheets: nomor lembar; columns: nomor kolom (dari 0) tiap bidang; control: jumlah yang diketik dari daftar kertas.',
    body: batchChoicesBody,
    answer: batchAnswer,
    errors: { ...unknownBatch, 409: dhkpTexts.notChangeable, 422: dhkpTexts.columnsInvalid },
  },
  'DELETE /admin/dhkp/batches/{id}': {
    ...admin,
    summary: 'Membuang impor yang belum diterapkan',
    answer: doneAnswer,
    errors: { ...unknownBatch, 409: dhkpTexts.appliedNotDiscarded },
  },
  'GET /admin/dhkp/batches/{id}/rows': {
    ...admin,
    summary: 'Baris sebuah impor, menurut urutan berkas',
    description:
      'kind: new, changed, same, gone (tidak ada lagi di berkas), problem (tidak diterapkan), warning, other_village, total.',
    query: batchRowsQuery,
    answer: batchRowsAnswer,
    errors: unknownBatch,
  },
  'POST /admin/dhkp/batches/{id}/apply': {
    ...admin,
    summary: 'Menerapkan sebuah impor ke daftar',
    description: 'control_reason hanya perlu bila jumlah kontrol berbeda.',
    body: applyBatchBody,
    answer: batchAnswer,
    errors: { ...unknownBatch, 409: dhkpTexts.listChanged },
  },
  'POST /admin/dhkp/batches/{id}/revert': {
    ...admin,
    summary: 'Membatalkan impor terakhir sebuah tahun',
    description:
      'Daftar menjadi seperti sebelum impor itu. Ditolak (409) selama barisnya sudah dipakai; data kemudian memuat paling banyak 100 di antaranya: id dan nop.',
    body: revertBatchBody,
    answer: batchAnswer,
    errors: { ...unknownBatch, 409: dhkpTexts.onlyNewest, 422: dhkpTexts.reasonLength },
  },
  'GET /admin/dhkp/batches/{id}/file': {
    ...admin,
    summary: 'Berkas asli sebuah impor',
    description: 'Disimpan sampai impornya diterapkan, dan untuk dua impor terbaru yang diterapkan tiap tahun.',
    fileTypes: ['application/octet-stream'],
    errors: { 404: dhkpTexts.fileGone },
  },

  'GET /admin/dhkp/matches': {
    ...admin,
    summary: 'Objek yang belum terhubung, dengan calon pemiliknya; yang paling cocok lebih dulu',
    description:
      'Usulan saja: tidak ada yang dihubungkan. reasons: nop (NOP ada sebagai nomor SPT pada data akun itu), name (nama tanpa gelar), address.',
    query: matchesQuery,
    answer: matchesAnswer,
  },
  'POST /admin/dhkp/{id}/link': {
    ...admin,
    summary: 'Menghubungkan sebuah objek, semua tahun, dengan akun pemiliknya',
    description:
      'Untuk tiap ketetapan terdaftar tahun 2020 sampai 2030, data PBB akun itu dengan NOP yang sama dipakai, atau dibuat bila belum ada. overwrite: name, address, amount, due_date dari daftar menggantikan isi data yang dipakai, kecuali yang lunas atau berbukti.',
    body: linkBody,
    answer: assessmentAnswer,
    errors: { ...unknownObject, 409: dhkpTexts.linkedTo('Budi Santoso'), 422: dhkpTexts.ownerIsAdmin },
  },
  'DELETE /admin/dhkp/{id}/link': {
    ...admin,
    summary: 'Memutus hubungan objek dengan akun; data PBB-nya tetap ada',
    answer: assessmentAnswer,
    errors: { ...unknownObject, 409: dhkpTexts.notLinked },
  },
  'GET /admin/dhkp/{id}': {
    ...admin,
    summary: 'Satu objek dengan riwayatnya di semua tahun',
    answer: assessmentWithHistoryAnswer,
    errors: unknownObject,
  },
  'PUT /admin/dhkp/{id}': {
    ...admin,
    summary: 'Mengubah catatan kantor tentang satu objek',
    description:
      'Yang berasal dari berkas hanya diubah oleh berkas. Bidang yang tidak dikirim tidak berubah. Wilayah dan kolektor diingat untuk NOP-nya. condition: ok, not_found, double, wrong_name.',
    body: updateAssessmentBody,
    answer: assessmentAnswer,
    errors: { ...unknownObject, 409: errorTexts.conflict, 422: dhkpTexts.collectorInvalid },
  },
} satisfies Calls;
