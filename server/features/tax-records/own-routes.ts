import type { ownRecordCalls } from '#shared/api/calls/tax-records.ts';
import { type CreateRecordBody, PROOF_FIELD, type QuotaUse } from '#shared/api/tax-records/tax-records.ts';
import { formatNumber } from '#shared/domain/money/rupiah.ts';
import { rolloverText } from '#shared/rollover-texts.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { Adoption } from './assessments/adopt-service.ts';
import type { ProofFromMessage } from './from-message/from-message-service.ts';
import type { RecordLists } from './lists/list-service.ts';
import type { RolloverService } from './rollover/rollover-service.ts';
import { type EncodeHistory, oneRecordHandlers, type PresentOne } from './routes.ts';
import type { RecordService } from './service.ts';
import type { StatisticsService } from './statistics/statistics-service.ts';

type Services = {
  lists: RecordLists;
  records: RecordService<CreateRecordBody>;
  proofsFromMessages: ProofFromMessage;
  adoption: Adoption;
  presentOne: PresentOne;
  statistics: StatisticsService;
  rollover: RolloverService;
  quotaUseOf: (userId: string) => Promise<QuotaUse>;
  encodeHistory: EncodeHistory;
};

const messages = { one: 'Data PBB', updated: 'Data PBB berhasil diperbarui', removed: 'Data PBB berhasil dihapus' };

/** These answers carry their fields at the top level too (R-API-4). */
function presentNestedAndFlat<T extends object>(message: string, fields: T) {
  return { ...presentSingle(message, fields), ...fields };
}

function checkYearText(checked: Awaited<ReturnType<RolloverService['checkYear']>>): string {
  const { autoCreated, leftOutCount, offered, year } = checked;
  if (offered > 0) return `${formatNumber(offered)} data PBB tahun ${year} dapat dibuat dari data tahun ${year - 1}`;
  return autoCreated || leftOutCount > 0 ? rolloverText(checked, year) : `Data PBB tahun ${year} sudah lengkap`;
}

/** The own records of a user. */
export function ownRecordRoutes(services: Services): Handlers<typeof ownRecordCalls> {
  const { lists, records, proofsFromMessages, adoption, presentOne, statistics, rollover, quotaUseOf, encodeHistory } =
    services;
  const one = oneRecordHandlers({ records, proofsFromMessages, adoption, presentOne, messages });
  return {
    'GET /tax-records': (received) => lists.encodeOwn(received.currentUser, received.query, listCallerOf(received)),
    'GET /tax-records/outstanding': (received) =>
      lists.encodeOwnOverdue(received.currentUser, received.query, listCallerOf(received)),
    'GET /tax-records/year/{year}': (received) => {
      const { currentUser, params, query } = received;
      return lists.encodeOwnOfYear(currentUser, params.year, query, listCallerOf(received));
    },
    'POST /tax-records': async ({ currentUser, body, files }) => {
      const row = await records.create(currentUser, body, files.get(PROOF_FIELD));
      return presentOne(currentUser, 'Data PBB berhasil ditambahkan!', row);
    },
    'GET /tax-records/{id}': one.read,
    'PUT /tax-records/{id}': one.update,
    'POST /tax-records/{id}/payment-proof': one.attachProof,
    'POST /tax-records/{id}/payment-proof/from-message': one.attachFromMessage,
    'POST /tax-records/{id}/adopt-assessment': one.adoptAssessment,
    'DELETE /tax-records/{id}': one.remove,
    'GET /tax-records/{id}/history': async (received) => {
      const { currentUser, params, query } = received;
      await records.requireRecord(currentUser, params.id);
      return encodeHistory(params.id, query, listCallerOf(received));
    },
    'GET /tax-records/statistics': async ({ currentUser }) =>
      presentSingle('Statistik data PBB', await statistics.ownStatistics(currentUser.id)),
    'GET /tax-records/quota': async ({ currentUser }) =>
      presentSingle('Batas data PBB', await quotaUseOf(currentUser.id)),
    'GET /tax-records/check-year': async ({ currentUser }) => {
      const checked = await rollover.checkYear(currentUser);
      const { autoCreated, count, leftOutCount, offered } = checked;
      return presentNestedAndFlat(checkYearText(checked), { autoCreated, count, leftOutCount, offered });
    },
    'GET /tax-records/new-year': async ({ currentUser }) =>
      presentSingle('Data tahun baru', { years: await rollover.preview(currentUser) }),
    'POST /tax-records/auto-create': async ({ currentUser, body, reply }) => {
      const created = await rollover.autoCreate(currentUser, body, reply.elapsedTime);
      return presentNestedAndFlat(rolloverText(created, created.year), created);
    },
  };
}
