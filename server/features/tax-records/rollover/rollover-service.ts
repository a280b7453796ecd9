import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type {
  AutoCreate,
  AutoCreateBody,
  CheckYear,
  ChosenCopy,
  NewYearPreview,
  SuggestedCopy,
} from '#shared/api/tax-records/rollover.ts';
import { startOfDayMs, todayIn, yearOf } from '#shared/domain/dates/dates.ts';
import {
  type FindLinked,
  planRollover,
  type RolloverCopy,
  type RolloverPlan,
} from '#shared/domain/tax-records/rollover.ts';
import { fieldsWhere } from '#shared/domain/tax-records/tax-record-fields.ts';
import { senToRupiah } from '#shared/domain/money/rupiah.ts';
import { OWN_RECORDS_DEFAULT, YEAR_MAX, YEAR_MIN } from '#shared/limits.ts';
import { fieldTexts, quotaTexts } from '#shared/texts.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { ConnectionOrTransaction, Transaction } from '#server/db/engine.ts';
import { AppError, invalid } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { readRecordSettings } from '#server/records/record-settings-queries.ts';
import { planChosen, type SourcedCopy } from './chosen-copies.ts';
import { readLinkedObjects } from './linked-objects.ts';
import * as queries from './rollover-queries.ts';
import { insertRecords, type RecordRow } from '../queries.ts';
import { readQuotaUse } from '../quota/quota-queries.ts';
import { emptyColumns, publishRecordChange } from '../changes/record-changes.ts';
import { unchecked } from '#server/records/verification-state.ts';

/** SPT numbers per transaction. An ordinary owner has fewer; more at once would block the event loop. */
const SPT_NUMBERS_PER_TRANSACTION_MAX = 100;

/** The owner, the year of the copies, and which of the owner's records may be copied. */
type RolloverRequest = { userId: string; year: number; filter: queries.SourceFilter; isAutomatic: boolean };
type CreatedCounts = Omit<AutoCreate, 'year'>;

const NOTHING_CREATED: CreatedCounts = { count: 0, outstandingCount: 0, newYearCount: 0, leftOutCount: 0 };

/** The request of a person: also copies that were deleted, and copies of records of this year. */
const requestOf = (userId: string, year: number): RolloverRequest => ({
  userId,
  year,
  filter: null,
  isAutomatic: false,
});

const inRange = (year: number): boolean => year >= YEAR_MIN && year <= YEAR_MAX;

/** Copies records into the next year (R-YEAR-1 to R-YEAR-7, R-YEAR-14, R-YEAR-15). */
export function createRolloverService(context: ServiceContext) {
  const { audit, policy, orm, userWrites, write, publish, now, timeZone, quota } = context;
  const thisYear = (): number => yearOf(todayIn(timeZone, now()));

  /** Stores the planned copies, one range of SPT numbers after the other; each range is planned again in its transaction. */
  async function createRecords(currentUser: CurrentUser, rolloverRequest: RolloverRequest): Promise<CreatedCounts> {
    const counts: CreatedCounts = { ...NOTHING_CREATED };
    for await (const { slice: sptRange, plan } of planRanges(orm, rolloverRequest)) {
      // Usually nothing is missing; planning before the transaction saves an empty commit.
      if (plan.copies.length === 0) continue;
      // A full account asks again at each visit of its dashboard; that commits nothing.
      if ((await readCopiesMax(orm, rolloverRequest.userId)) === 0) {
        counts.leftOutCount += plan.copies.length;
        continue;
      }
      const { kept: storedPlan, rows } = await write(async (tx) => {
        await policy.requireLiveSession(tx, currentUser);
        const copiesMax = await readCopiesMax(tx, rolloverRequest.userId);
        const inserted = await insertRange(tx, sptRange, rolloverRequest, copiesMax, now());
        await audit.recordsCopied(tx, currentUser, inserted.rows, rolloverRequest.isAutomatic);
        return inserted;
      });
      for (const row of rows) publishRecordChange(publish, row, 'created');
      counts.count += rows.length;
      counts.outstandingCount += storedPlan.outstandingCount;
      counts.newYearCount += storedPlan.newYearCount;
      counts.leftOutCount += storedPlan.leftOutCount;
    }
    return counts;
  }

  /** The number of copies for which the quota of the account still has room. */
  async function readCopiesMax(db: ConnectionOrTransaction, userId: string): Promise<number> {
    if (quota.records === null) return Number.POSITIVE_INFINITY;
    return Math.max(0, quota.records - (await readQuotaUse(db, userId)).records);
  }

  /** The number of copies that a year lacks. */
  async function countMissing(rolloverRequest: RolloverRequest, countMax = Number.POSITIVE_INFINITY): Promise<number> {
    let count = 0;
    for await (const { plan } of planRanges(orm, rolloverRequest)) {
      count += plan.copies.length;
      if (count >= countMax) break;
    }
    return count;
  }

  /** Stores the copies that a person chose, all or none, in one transaction. */
  async function createChosen(
    currentUser: CurrentUser,
    year: number,
    chosen: readonly ChosenCopy[],
  ): Promise<CreatedCounts> {
    const { id: userId } = currentUser;
    const { rows, outstandingCount } = await write(async (tx) => {
      await policy.requireLiveSession(tx, currentUser);
      const { planned, rolledSourceIds } = await planChosen(tx, { userId, year }, chosen);
      if ((await readCopiesMax(tx, userId)) < planned.length) {
        throw new AppError(422, quotaTexts.own.records(quota.records ?? 0));
      }
      const copied = planned.map(({ copy }) => toCopiedRow(copy, userId, now()));
      await insertRecords(tx, copied);
      await queries.markRolledOver(tx, rolledSourceIds, now());
      await audit.recordsCopied(tx, currentUser, copied, false);
      return { rows: copied, outstandingCount: planned.filter(({ source }) => source.status !== 'lunas').length };
    });
    for (const row of rows) publishRecordChange(publish, row, 'created');
    return {
      count: rows.length,
      outstandingCount,
      newYearCount: rows.length - outstandingCount,
      leftOutCount: 0,
    };
  }

  return {
    /**
     * The automatic rollover: copies records that were created before this calendar year and never rolled over. It makes
     * nothing for a year that a record cannot have. While new years are only offered, it counts them and makes none.
     * @throws 401 when the session ended meanwhile, 507 when the disk is full; copies made until then stay
     */
    async checkYear(currentUser: CurrentUser): Promise<CheckYear & CreatedCounts & { year: number }> {
      const year = thisYear();
      const filter = { createdBeforeMs: startOfDayMs(`${year}-01-01`, timeZone), neverRolledOver: true } as const;
      const rolloverRequest = { userId: currentUser.id, year, filter, isAutomatic: true };
      if (!inRange(year)) return { autoCreated: false, offered: 0, year, ...NOTHING_CREATED };
      if ((await readRecordSettings(orm)).rollover === 'offer') {
        return { autoCreated: false, offered: await countMissing(rolloverRequest), year, ...NOTHING_CREATED };
      }
      const counts = await createRecords(currentUser, rolloverRequest);
      return { autoCreated: counts.count > 0, offered: 0, year, ...counts };
    },

    /** The copies that autoCreate would make for this year and next year. The year that it would take by itself stands first (R-DHKP-43). */
    async preview(currentUser: CurrentUser): Promise<NewYearPreview[]> {
      const years = [thisYear(), thisYear() + 1].filter(inRange);
      const previews: NewYearPreview[] = [];
      for (const year of years) previews.push(await previewYear(orm, requestOf(currentUser.id, year)));
      return previews[0]?.total === 0 ? previews.toReversed() : previews;
    },

    /**
     * Makes every copy that `year` lacks, also of records whose earlier copy was deleted; or the named ones alone.
     * @param body without a year: this year if anything is missing in it or was when the call arrived, else next year
     * @param elapsedMs since the call arrived
     * @throws 422 when the year, requested or chosen, is outside 2020 to 2030; with records also 404, 409 and 422 as
     * `planChosen`, and 422 beyond the quota; else as checkYear
     */
    async autoCreate(currentUser: CurrentUser, body: AutoCreateBody, elapsedMs = 0): Promise<AutoCreate> {
      userWrites.requireSpace(currentUser);
      const year = body?.year ?? (await defaultYear(currentUser.id, now() - Math.ceil(elapsedMs)));
      if (!inRange(year)) throw invalid('year', fieldTexts.yearRange);
      const counts = body?.records
        ? await createChosen(currentUser, year, body.records)
        : await createRecords(currentUser, requestOf(currentUser.id, year));
      return { year, ...counts };
    },
  };

  async function defaultYear(userId: string, arrivedAtMs: number): Promise<number> {
    const year = thisYear();
    if ((await countMissing(requestOf(userId, year), 1)) > 0) return year;
    // The second of two simultaneous clicks does not take the year after.
    return (await queries.hasCopySince(orm, { userId, year, sinceMs: arrivedAtMs })) ? year : year + 1;
  }
}
export type RolloverService = ReturnType<typeof createRolloverService>;

async function previewYear(orm: ConnectionOrTransaction, rolloverRequest: RolloverRequest): Promise<NewYearPreview> {
  const preview: NewYearPreview = { year: rolloverRequest.year, copies: [], total: 0, has_source: false };
  for await (const { plan } of planRanges(orm, rolloverRequest)) {
    preview.has_source = true;
    preview.total += plan.copies.length;
    const room = OWN_RECORDS_DEFAULT - preview.copies.length;
    preview.copies.push(...plan.copies.slice(0, room).map((copy) => presentCopy(copy, plan)));
  }
  return preview;
}

function presentCopy(copy: RolloverCopy, plan: RangePlan): SuggestedCopy {
  return {
    source_id: copy.sourceId,
    address: copy.address,
    property_type: copy.propertyType,
    spt_number: copy.sptNumber,
    amount_before: senToRupiah(plan.amountSenOf.get(copy.sourceId) ?? 0),
    amount: senToRupiah(copy.amountSen),
    amount_source: amountSourceOf(copy, plan),
    due_date: copy.dueDate,
  };
}

/** A plan with the number of copies that the quota leaves out, and with what was read for it. */
type RangePlan = RolloverPlan & {
  leftOutCount: number;
  findLinked: FindLinked;
  /** The amounts of the sources by their ids. */
  amountSenOf: ReadonlyMap<string, number>;
};

const amountSourceOf = ({ sptNumber }: RolloverCopy, { findLinked }: RangePlan): 'office' | 'estimate' =>
  findLinked(sptNumber)?.values ? 'office' : 'estimate';

/** Plans each range of an owner's SPT numbers and returns to the event loop between two of them. */
async function* planRanges(
  orm: ConnectionOrTransaction,
  rolloverRequest: RolloverRequest,
): AsyncGenerator<{ slice: queries.SptRange; plan: RangePlan }> {
  const { userId, year } = rolloverRequest;
  let afterSpt = '';
  for (;;) {
    const numbers = await queries.findSptNumbers(
      orm,
      { userId, year: year - 1, afterSpt },
      SPT_NUMBERS_PER_TRANSACTION_MAX,
    );
    const toSpt = numbers.at(-1);
    if (toSpt === undefined) return;
    const sptRange = { userId, year, afterSpt, toSpt };
    yield { slice: sptRange, plan: await planRange(orm, sptRange, rolloverRequest.filter) };
    if (numbers.length < SPT_NUMBERS_PER_TRANSACTION_MAX) return;
    afterSpt = toSpt;
    await nextTurn();
  }
}

async function planRange(
  orm: ConnectionOrTransaction,
  sptRange: queries.SptRange,
  filter: queries.SourceFilter,
  copiesMax = Number.POSITIVE_INFINITY,
): Promise<RangePlan> {
  const sources = await queries.findSources(orm, { ...sptRange, year: sptRange.year - 1 }, filter);
  const linked = await readLinkedObjects(orm, sptRange, sources);
  const takenSptNumbers = new Set([...(await queries.findTakenSptNumbers(orm, sptRange)), ...linked.taken]);
  const plan = planRollover(sources, takenSptNumbers, sptRange.year, linked.find);

  // A copy whose SPT number was changed later no longer takes that number, but it is still the only successor of its source.
  const copiedSourceIds = new Set(sources.filter(({ successorId }) => successorId !== null).map(({ id }) => id));
  const duplicateCopies = plan.copies.filter(({ sourceId }) => copiedSourceIds.has(sourceId));
  const duplicates = new Set(duplicateCopies);
  // A copy that the quota leaves out is not marked as rolled over, so a later call makes it.
  const leftOutCopies = plan.copies.filter((copy) => !duplicates.has(copy)).slice(copiesMax);
  const read = {
    leftOutCount: leftOutCopies.length,
    findLinked: linked.find,
    amountSenOf: new Map(sources.map(({ id, amountSen }) => [id, amountSen])),
  };
  if (duplicateCopies.length + leftOutCopies.length === 0) return { ...plan, ...read };
  const excluded = [...duplicateCopies, ...leftOutCopies].map(({ sptNumber }) => sptNumber);
  const taken = new Set([...takenSptNumbers, ...excluded]);
  return { ...planRollover(sources, taken, sptRange.year, linked.find), ...read };
}

async function insertRange(
  tx: Transaction,
  sptRange: queries.SptRange,
  { userId, filter }: RolloverRequest,
  copiesMax: number,
  at: number,
) {
  const storedPlan = await planRange(tx, sptRange, filter, copiesMax);
  const rows = storedPlan.copies.map((copy) =>
    toCopiedRow({ ...copy, amountSource: amountSourceOf(copy, storedPlan) }, userId, at),
  );
  await insertRecords(tx, rows);
  await queries.markRolledOver(tx, storedPlan.rolledSourceIds, at);
  return { kept: storedPlan, rows };
}

function toCopiedRow({ sourceId, ...copy }: SourcedCopy, userId: string, at: number): RecordRow {
  return {
    ...copy,
    id: newId(),
    userId,
    ...emptyColumns(fieldsWhere({ optional: true, inCopy: false })),
    proofBytes: null,
    ...unchecked,
    predecessorId: sourceId,
    rolledOverAt: null,
    createdAt: at,
    updatedAt: at,
  };
}
