import type { adminRecordCalls } from '#shared/api/calls/tax-records.ts';
import { type AdminCreateRecordBody, PROOF_FIELD } from '#shared/api/tax-records/tax-records.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { Adoption } from './assessments/adopt-service.ts';
import type { BulkEdits } from './bulk-edits.ts';
import type { VerificationService } from './checks/verification-service.ts';
import type { ProofFromMessage } from './from-message/from-message-service.ts';
import type { RecordLists } from './lists/list-service.ts';
import { type EncodeHistory, oneRecordHandlers, type PresentOne } from './routes.ts';
import type { RecordService } from './service.ts';
import type { RecordSettingsService } from './settings/settings-service.ts';
import type { StatisticsService } from './statistics/statistics-service.ts';

type Services = {
  lists: RecordLists;
  records: RecordService<AdminCreateRecordBody>;
  proofsFromMessages: ProofFromMessage;
  bulk: BulkEdits;
  adoption: Adoption;
  presentOne: PresentOne;
  statistics: StatisticsService;
  verifications: VerificationService;
  settings: RecordSettingsService;
  encodeHistory: EncodeHistory;
};

const messages = {
  one: 'Data pajak',
  updated: 'Data pajak berhasil diperbarui',
  removed: 'Data pajak berhasil dihapus',
};

/** The records of all users. */
export function adminRecordRoutes(services: Services): Handlers<typeof adminRecordCalls> {
  const { lists, records, proofsFromMessages, adoption, bulk, presentOne, statistics, verifications, settings } =
    services;
  const one = oneRecordHandlers({ records, proofsFromMessages, adoption, presentOne, messages });
  return {
    'GET /admin/tax-records': (received) =>
      lists.encodeAll(received.currentUser, received.query, listCallerOf(received)),
    'POST /admin/tax-records': async ({ currentUser, body, files }) => {
      const row = await records.create(currentUser, body, files.get(PROOF_FIELD));
      return presentOne(currentUser, 'Data pajak berhasil ditambahkan', row);
    },
    'POST /admin/tax-records/bulk': async ({ currentUser, body }) =>
      presentSingle('Data pajak berhasil diperbarui', { results: await bulk.apply(currentUser, body.changes) }),
    'GET /admin/tax-records/{id}': one.read,
    'PUT /admin/tax-records/{id}': one.update,
    'POST /admin/tax-records/{id}/payment-proof': one.attachProof,
    'POST /admin/tax-records/{id}/payment-proof/from-message': one.attachFromMessage,
    'POST /admin/tax-records/{id}/adopt-assessment': one.adoptAssessment,
    'DELETE /admin/tax-records/{id}': one.remove,
    'GET /admin/tax-records/{id}/history': (received) =>
      services.encodeHistory(received.params.id, received.query, listCallerOf(received)),
    'GET /admin/statistics': async () => presentSingle('Statistik seluruh data', await statistics.adminStatistics()),

    'GET /admin/verifications': (received) =>
      verifications.encodeList(received.currentUser, received.query, listCallerOf(received)),
    'POST /admin/tax-records/{id}/verification': async ({ currentUser, params, body }) => {
      const row = await verifications.check(currentUser, params.id, body);
      return presentOne(currentUser, 'Hasil pencocokan disimpan', row);
    },
    'DELETE /admin/tax-records/{id}/verification': async ({ currentUser, params, body }) => {
      const row = await verifications.undo(currentUser, params.id, body.updated_at);
      return presentOne(currentUser, 'Pencocokan dibatalkan', row);
    },

    'GET /admin/record-settings': async () => presentSingle('Pengaturan data PBB', await settings.current()),
    'PUT /admin/record-settings': async ({ currentUser, body }) =>
      presentSingle('Pengaturan data PBB berhasil disimpan', await settings.save(currentUser, body)),
  };
}
