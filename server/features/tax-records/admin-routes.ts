import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  type AdminCreateRecordBody,
  adminCreateRecordBody,
  adminRecordsAnswer,
  adminRecordsQuery,
  adminUpdateRecordBody,
  bulkRecordsAnswer,
  bulkRecordsBody,
  recordAnswer,
} from '#shared/api/tax-records.ts';
import { BODY_MAX_BYTES, BULK_RECORDS_MAX } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import { createFormParser } from '#server/http/bodies/multipart-form.ts';
import { listCallerOf, sendEncoded } from '#server/http/list-caller.ts';
import { presentSingle } from '#server/http/present.ts';
import { requireCurrentUser, type SessionGuards } from '#server/http/session-guards.ts';
import type { BulkEdits } from './bulk-edits.ts';
import { adminEditForm, createForm, formContentTypes, formDescription, PROOF_FIELD } from './form-shape.ts';
import type { RecordLists } from './lists/list-service.ts';
import type { UploadLinks } from '#server/uploads/upload-links.ts';
import { addRecordRoutes, presentOne } from './routes.ts';
import type { RecordService } from './service.ts';

const tags = ['Data pajak (admin)'];

type Services = {
  lists: RecordLists;
  records: RecordService<AdminCreateRecordBody>;
  bulk: BulkEdits;
  links: UploadLinks;
};

/** The records of all users, under /admin/tax-records. */
export function adminRecordRoutes({ lists, records, bulk, links }: Services, { requireAdmin }: SessionGuards) {
  const plugin: FastifyPluginAsyncZod = async (app) => {
    app.get(
      '/admin/tax-records',
      {
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Data pajak semua warga',
          description:
            'search mencari di nama, alamat, nomor SPT, dan nama pemilik. outstanding=1: hanya tunggakan. unpaid=1: hanya yang belum lunas. proof=1: hanya yang ada bukti pembayarannya, proof=0: hanya yang tidak ada. verification: satu atau beberapa dari none, pending, matched, rejected, outdated, matched_unpaid (cocok tetapi belum lunas), dipisahkan koma. due_from, due_to, payment_from, payment_to: yyyy-mm-dd, batasnya ikut terhitung. sort: created_at, amount, year, name, due_date; tanda - di depan untuk urutan menurun. total_amount: jumlah rupiah semua data yang cocok; checked: yang lunas menurut pencocokan; estimated: yang belum lunas dan jumlahnya masih perkiraan.',
          querystring: adminRecordsQuery,
          response: { 200: adminRecordsAnswer },
        },
      },
      async (request, reply) => {
        const caller = listCallerOf(request, reply);
        return sendEncoded(reply, await lists.encodeAll(requireCurrentUser(request), request.query, caller));
      },
    );
    app.post(
      '/admin/tax-records',
      {
        bodyLimit: BODY_MAX_BYTES,
        onRequest: requireAdmin,
        preValidation: createFormParser(createForm),
        config: { form: createForm },
        schema: {
          tags,
          summary: 'Menambah data pajak untuk seorang warga',
          description: `${formDescription} Tanpa year: tahun ini.`,
          consumes: formContentTypes,
          body: adminCreateRecordBody,
          response: { 201: recordAnswer },
        },
      },
      async (request, reply) => {
        const row = await records.create(requireCurrentUser(request), request.body, request.formFiles.get(PROOF_FIELD));
        return reply.code(201).send(presentOne(links, request, 'Data pajak berhasil ditambahkan', row));
      },
    );
    app.post(
      '/admin/tax-records/bulk',
      {
        bodyLimit: BODY_MAX_BYTES,
        onRequest: requireAdmin,
        schema: {
          tags,
          summary: 'Mengubah status dan tanggal pembayaran banyak data',
          description: `Paling banyak ${BULK_RECORDS_MAX} data. Tiap data punya hasilnya sendiri: yang telah berubah sejak updated_at atau tidak ada lagi tidak diubah.`,
          body: bulkRecordsBody,
          response: { 200: bulkRecordsAnswer },
        },
      },
      async (request) => {
        const results = await bulk.apply(requireCurrentUser(request), request.body.changes);
        return presentSingle('Data pajak berhasil diperbarui', { results });
      },
    );
    addRecordRoutes(app, {
      path: '/admin/tax-records',
      guard: requireAdmin,
      links,
      records,
      tags,
      editForm: adminEditForm,
      editBody: adminUpdateRecordBody,
      summaries: {
        one: 'Satu data pajak',
        update: 'Mengubah data pajak',
        attachProof: 'Mengunggah bukti pembayaran seorang warga',
        remove: 'Menghapus data pajak',
      },
      missingText: errorTexts.adminRecordMissing,
      messages: {
        one: 'Data pajak',
        updated: 'Data pajak berhasil diperbarui',
        removed: 'Data pajak berhasil dihapus',
      },
    });
  };
  return plugin;
}
