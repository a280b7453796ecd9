import type {
  Assessment,
  AssessmentsQuery,
  BulkAssessmentsBody,
  ClaimOfObject,
  OfficeChanges,
  UpdateAssessmentBody,
} from '#shared/api/dhkp/assessments.ts';
import { ASSESSMENTS_DEFAULT, BULK_OBJECTS_MAX, CLAIMS_DEFAULT } from '#shared/limits.ts';
import { dhkpTexts } from '#shared/texts.ts';
import { findArea } from '#server/areas/area-queries.ts';
import { type ConnectionOrTransaction, readSnapshot, type Transaction } from '#server/db/engine.ts';
import type { EncodedAnswer } from '#server/http/answers/encoded-answer.ts';
import type { ListCaller } from '#server/http/answers/list-caller.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { type AssessmentRow, findAssessment, listAssessmentsById, updateAssessment } from '../assessment-queries.ts';
import { type ClaimWithUser, listClaimsOfNop } from '../claim-queries.ts';
import * as queries from './edit-queries.ts';
import { listHistory } from './list-queries.ts';
import { presentListed } from './list-answers.ts';

/** A transaction holds the event loop: so many objects take a few milliseconds. */
const OBJECTS_PER_TRANSACTION = 100;

type ListDeps = {
  /** Whether rows of the year are being put back as they were. */
  isReverting: (tx: Transaction, year: number) => Promise<boolean>;
  listChanged: (year: number) => void;
};
type Applied = { before: AssessmentRow; after: AssessmentRow };

/** The office's list, and what the office itself decides about its objects (R-DHKP-11 to R-DHKP-13). */
export function createListService(context: ServiceContext, { isReverting, listChanged }: ListDeps) {
  const { orm, write, policy, audit, queryWorker, now } = context;

  /** @throws 422 for an unknown area, or a collector whose account is not active */
  async function requireTargets(tx: Transaction, { area_id: areaId, collector_id: collectorId }: OfficeChanges) {
    if (areaId && !(await findArea(tx, areaId))) throw invalid('area_id', dhkpTexts.areaUnknown);
    if (collectorId && !(await queries.findActiveAccount(tx, collectorId))) {
      throw invalid('collector_id', dhkpTexts.collectorInvalid);
    }
  }

  /** @returns null when nothing is different. @throws 409 while the year is put back */
  async function change(
    tx: Transaction,
    before: AssessmentRow,
    set: OfficeChanges,
    nowMs: number,
  ): Promise<Applied | null> {
    const changed = withChanges(before, set);
    if (!hasOfficeChanged(before, changed)) return null;
    if (await isReverting(tx, before.year)) throw conflict(dhkpTexts.reverting);
    const after = { ...changed, updatedAt: nextUpdatedAt(before, nowMs) };
    await updateAssessment(tx, after);
    const isRemembered = after.areaId !== before.areaId || after.collectorId !== before.collectorId;
    if (isRemembered) await queries.rememberForObject(tx, after, nowMs);
    return { before, after };
  }

  /** The office's fields with names, as the audit keeps them. */
  async function audited(tx: Transaction, row: AssessmentRow) {
    return {
      condition: row.condition,
      note: row.note,
      handed_out_on: row.handedOutOn,
      handed_out_to: row.handedOutTo,
      area: row.areaId === null ? null : ((await findArea(tx, row.areaId))?.name ?? null),
      collector: row.collectorId === null ? null : await queries.findAccountName(tx, row.collectorId),
    };
  }

  /** @throws 404 */
  async function findWithHistory(
    tx: ConnectionOrTransaction,
    id: string,
  ): Promise<Assessment & { history: Assessment[] }> {
    const history = await presentListed(tx, await listHistory(tx, id));
    const assessment = history.find((one) => one.id === id);
    if (!assessment) throw notFound(dhkpTexts.objectMissing);
    return { ...assessment, history };
  }

  /** Without its history. @throws 404 */
  async function findOne(id: string): Promise<Assessment> {
    const { history: _history, ...assessment } = await findWithHistory(orm, id);
    return assessment;
  }

  async function idsOf(currentUser: CurrentUser, { ids, filter }: BulkAssessmentsBody, caller: ListCaller) {
    if (ids) return [...new Set(ids)];
    if (!filter) throw invalid('ids', dhkpTexts.objectsRequired);
    const found = await queryWorker.run('dhkpIds', filter, { ...caller, account: currentUser.id, isSlow: true });
    if (found.length > BULK_OBJECTS_MAX) throw invalid('filter', dhkpTexts.tooManyObjects);
    return found;
  }

  return {
    /** A page of the list; the query worker makes the whole answer. */
    encode(
      { sort, limit = ASSESSMENTS_DEFAULT, page = 1, ...filter }: AssessmentsQuery,
      { acceptsGzip, ...caller }: ListCaller,
    ): Promise<EncodedAnswer> {
      const query = { ...filter, sort, limit, offset: (page - 1) * limit };
      return queryWorker.run(
        'dhkpList',
        { query, page, acceptsGzip },
        { ...caller, isSlow: typeof filter.search === 'string' },
      );
    },

    /** With the same object in all years, and the requests for it. @throws 404 */
    find: (id: string): Promise<Assessment & { history: Assessment[]; claims: ClaimOfObject[] }> =>
      // One snapshot, so that the answered requests agree with the link.
      readSnapshot(orm, async (tx) => {
        const found = await findWithHistory(tx, id);
        const claims = await listClaimsOfNop(tx, found.nop, CLAIMS_DEFAULT);
        return { ...found, claims: claims.map(presentClaimOfObject) };
      }),

    findOne,

    /** Absent fields stay. @throws 401, 403, 404, 409 when changed since loaded, 422 */
    async update(
      currentUser: CurrentUser,
      id: string,
      { updated_at: loadedAt, ...set }: UpdateAssessmentBody,
    ): Promise<Assessment> {
      const applied = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        const before = await findAssessment(tx, id);
        if (!before) throw notFound(dhkpTexts.objectMissing);
        requireUnchanged(before, loadedAt);
        await requireTargets(tx, set);
        const result = await change(tx, before, set, now());
        if (!result) return null;
        await audit.objectChanged(
          tx,
          currentUser,
          result.after,
          await audited(tx, result.before),
          await audited(tx, result.after),
        );
        return result;
      });
      if (applied) listChanged(applied.after.year);
      return findOne(id);
    },

    /** Sets the same fields of many objects, a hundred in a transaction. @throws 401, 403, 409, 422 */
    async updateMany(
      currentUser: CurrentUser,
      body: BulkAssessmentsBody,
      caller: ListCaller,
    ): Promise<{ changed: number; missing: number }> {
      const ids = await idsOf(currentUser, body, caller);
      const result = { changed: 0, missing: 0 };
      const years = new Set<number>();
      try {
        for (let from = 0; from < ids.length; from += OBJECTS_PER_TRANSACTION) {
          const part = ids.slice(from, from + OBJECTS_PER_TRANSACTION);
          const done = await write(async (tx) => {
            await policy.requireLiveAdmin(tx, currentUser);
            await requireTargets(tx, body.set);
            // One entry for all of them stands with the first ones: the others follow at once.
            if (from === 0) await auditMany(tx, currentUser, ids, body.set);
            const rows = await listAssessmentsById(tx, part);
            const applied: Applied[] = [];
            for (const row of rows) applied.push(...[(await change(tx, row, body.set, now())) ?? []].flat());
            return { applied, missing: part.length - rows.length };
          });
          result.changed += done.applied.length;
          result.missing += done.missing;
          for (const { after } of done.applied) years.add(after.year);
        }
      } finally {
        for (const year of years) listChanged(year);
      }
      return result;
    },
  };

  async function auditMany(
    tx: Transaction,
    currentUser: CurrentUser,
    ids: readonly string[],
    set: OfficeChanges,
  ): Promise<void> {
    const objects = await queries.countAssessments(tx, ids);
    if (objects === 0) return;
    const { area_id: areaId, collector_id: collectorId, ...others } = set;
    const area = areaId ? ((await findArea(tx, areaId))?.name ?? null) : areaId;
    const collector = collectorId ? await queries.findAccountName(tx, collectorId) : collectorId;
    const fields = Object.entries({ ...others, area, collector }).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, value] as const],
    );
    await audit.objectsChanged(tx, currentUser, objects, Object.fromEntries(fields));
  }
}
export type ListService = ReturnType<typeof createListService>;

function withChanges(row: AssessmentRow, set: OfficeChanges): AssessmentRow {
  const chosen = <T>(value: T | undefined, stored: T): T => (value === undefined ? stored : value);
  return {
    ...row,
    condition: set.condition ?? row.condition,
    note: chosen(set.note, row.note),
    handedOutOn: chosen(set.handed_out_on, row.handedOutOn),
    handedOutTo: chosen(set.handed_out_to, row.handedOutTo),
    areaId: chosen(set.area_id, row.areaId),
    collectorId: chosen(set.collector_id, row.collectorId),
  };
}

const hasOfficeChanged = (before: AssessmentRow, after: AssessmentRow): boolean =>
  (Object.keys(before) as (keyof AssessmentRow)[]).some((column) => before[column] !== after[column]);

const presentClaimOfObject = ({ claim, user }: ClaimWithUser): ClaimOfObject => ({
  id: claim.id,
  user: { id: user.id, name: user.name },
  note: claim.note,
  state: claim.state,
  reason: claim.reason,
  answered_by: claim.answeredBy,
  created_at: new Date(claim.createdAt).toISOString(),
  updated_at: new Date(claim.updatedAt).toISOString(),
});
