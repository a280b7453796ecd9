import { setImmediate as nextTurn } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import type { AutoCreate, CheckYear, PropertyType } from '#shared/api/tax-records.ts';
import { startOfDayMs, todayIn, yearOf } from '#shared/domain/dates.ts';
import {
  NEW_YEAR_MAX,
  NEW_YEAR_MIN,
  type NewYearCopy,
  type NewYearPlan,
  planNewYear,
} from '#shared/domain/new-year.ts';
import { fieldTexts } from '#shared/texts.ts';
import type { Context } from '#server/context.ts';
import type { Orm } from '#server/db/open.ts';
import { invalid } from '#server/http/errors.ts';
import type { Viewer } from '#server/http/session.ts';
import * as queries from './new-year-queries.ts';
import type { RecordRow } from '../queries.ts';
import { requireActor, tellChange } from '../record-changes.ts';

/** SPT numbers per transaction: every ordinary owner has fewer, and more at once would hold the event loop. */
const SLICE_MAX = 100;

/** What is to be made: for whom, for which year, from which of their records. */
type Question = { userId: string; year: number; filter: queries.SourceFilter };
type Counts = Pick<AutoCreate, 'count' | 'outstandingCount' | 'newYearCount'>;

const NOTHING: Counts = { count: 0, outstandingCount: 0, newYearCount: 0 };

const inRange = (year: number): boolean => year >= NEW_YEAR_MIN && year <= NEW_YEAR_MAX;

/** Next year's records from last year's (contract 4, specification 7). */
export function createNewYearService({ audit, orm, commit, publish, now, timeZone }: Context) {
  const thisYear = (): number => yearOf(todayIn(timeZone, now()));

  /** Makes what the plan says, slice by slice; each slice is planned again in its own transaction. */
  async function make(viewer: Viewer, question: Question): Promise<Counts> {
    const made: Counts = { ...NOTHING };
    for await (const { slice, plan } of plans(orm, question)) {
      // Asking first spares the usual case, where nothing is missing, its commit.
      if (plan.copies.length === 0) continue;
      const { kept, rows } = await commit((tx) => {
        requireActor(tx, viewer, 'user');
        const madeNow = makeSlice(tx, slice, question, now());
        for (const row of madeNow.rows) audit.recordCreated(tx, viewer, row);
        return madeNow;
      });
      for (const row of rows) tellChange(publish, row, 'created');
      made.count += rows.length;
      made.outstandingCount += kept.outstandingCount;
      made.newYearCount += kept.newYearCount;
    }
    return made;
  }

  async function isAnythingMissing(question: Question): Promise<boolean> {
    for await (const { plan } of plans(orm, question)) if (plan.copies.length > 0) return true;
    return false;
  }

  return {
    /**
     * The turn of the year: copies what was recorded before this calendar year and never rolled over. Beyond the years
     * a record may have it makes nothing.
     * @throws 401 when the session ended meanwhile, 507 when the disk is full; what was made until then stays
     */
    async checkYear(viewer: Viewer): Promise<CheckYear & Counts & { year: number }> {
      const year = thisYear();
      const filter = { createdBeforeMs: startOfDayMs(`${year}-01-01`, timeZone), neverRolledOver: true } as const;
      const made = inRange(year) ? await make(viewer, { userId: viewer.id, year, filter }) : NOTHING;
      return { autoCreated: made.count > 0, year, ...made };
    },

    /**
     * Copies whatever `year` lacks of the year before, also what was rolled over once and deleted since.
     * @param asked left out: this year if anything is missing in it, else next year
     * @throws 422 when the year, asked for or chosen, is outside 2020–2030; else as checkYear
     */
    async autoCreate(viewer: Viewer, asked: number | null | undefined): Promise<AutoCreate> {
      // Chosen before the commit: of two clicks at once, the second must not go on to the year after.
      const year = asked ?? (await defaultYear(viewer.id));
      if (!inRange(year)) throw invalid('year', fieldTexts.yearRange);
      return { year, ...(await make(viewer, { userId: viewer.id, year, filter: null })) };
    },
  };

  async function defaultYear(userId: string): Promise<number> {
    const year = thisYear();
    return (await isAnythingMissing({ userId, year, filter: null })) ? year : year + 1;
  }
}
export type NewYearService = ReturnType<typeof createNewYearService>;

/** The plan of every slice of an owner's SPT numbers, with a turn of the event loop between two of them. */
async function* plans(orm: Orm, question: Question): AsyncGenerator<{ slice: queries.SptSlice; plan: NewYearPlan }> {
  const { userId, year } = question;
  let afterSpt = '';
  for (;;) {
    const numbers = queries.findSptNumbers(orm, { userId, year: year - 1, afterSpt }, SLICE_MAX);
    const toSpt = numbers.at(-1);
    if (toSpt === undefined) return;
    const slice = { userId, year, afterSpt, toSpt };
    yield { slice, plan: planSlice(orm, slice, question.filter) };
    if (numbers.length < SLICE_MAX) return;
    afterSpt = toSpt;
    await nextTurn();
  }
}

function planSlice(orm: Orm, slice: queries.SptSlice, filter: queries.SourceFilter): NewYearPlan {
  const sources = queries.findSources(orm, { ...slice, year: slice.year - 1 }, filter);
  const taken = queries.findTakenSptNumbers(orm, slice);
  const plan = planNewYear(sources, taken, slice.year);

  // A copy whose SPT number was changed afterwards no longer takes its number, and yet is its source's one successor.
  const succeeded = new Set(sources.filter(({ successorId }) => successorId !== null).map(({ id }) => id));
  const blocked = plan.copies.filter(({ sourceId }) => succeeded.has(sourceId));
  if (blocked.length === 0) return plan;
  return planNewYear(sources, new Set([...taken, ...blocked.map(({ sptNumber }) => sptNumber)]), slice.year);
}

function makeSlice(tx: Orm, slice: queries.SptSlice, { userId, filter }: Question, at: number) {
  const kept = planSlice(tx, slice, filter);
  const rows = kept.copies.map((copy) => buildCopy(copy, userId, at));
  queries.insertRecords(tx, rows);
  queries.markRolledOver(tx, kept.rolledSourceIds, at);
  return { kept, rows };
}

function buildCopy({ sourceId, ...copy }: NewYearCopy, userId: string, at: number): RecordRow {
  return {
    ...copy,
    id: newId(),
    userId,
    // It comes from this very column; the plan keeps it as it was.
    propertyType: copy.propertyType as PropertyType | null,
    paymentDate: null,
    notes: null,
    proofFile: null,
    predecessorId: sourceId,
    rolledOverAt: null,
    createdAt: at,
    updatedAt: at,
  };
}
