import type { ChosenCopy } from '#shared/api/tax-records/rollover.ts';
import {
  copyOf,
  type OfficeValues,
  type RolloverCopy,
  type RolloverSource,
} from '#shared/domain/tax-records/rollover.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { rupiahToSen } from '#shared/domain/money/rupiah.ts';
import type { AmountSource } from '#shared/domain/tax-records/record-values.ts';
import { errorTexts, fieldTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import { readLinkedObjects } from './linked-objects.ts';
import * as queries from './rollover-queries.ts';

export type SourcedCopy = RolloverCopy & { amountSource: AmountSource };

/** After every SPT number: no byte of UTF-8 is higher. */
const LAST_SPT_NUMBER = '\u{10FFFF}';

/**
 * The copies that a person chose, each with its source, in the order of the choice (R-YEAR-15). An amount other than the
 * suggested one was typed, and so was one that the person confirmed. `rolledSourceIds` has every record of the year before
 * that is of an object with a copy, as in the plan of all.
 * @throws 404 for a source that is missing or another user's, 422 for one of another year, 409 for one whose SPT number has
 * a record in `year` or that has a successor
 */
export async function planChosen(
  tx: Transaction,
  { userId, year }: { userId: string; year: number },
  chosen: readonly ChosenCopy[],
): Promise<{ planned: { source: RolloverSource; copy: SourcedCopy }[]; rolledSourceIds: string[] }> {
  const ids = chosen.map(({ source_id: id }) => id);
  const sourceOf = new Map((await queries.findChosenSources(tx, userId, ids)).map((source) => [source.id, source]));
  const found = chosen.map((wanted) => {
    const source = sourceOf.get(wanted.source_id);
    if (!source) throw notFound(errorTexts.recordMissing);
    return { wanted, source };
  });
  if (found.some(({ source }) => source.year !== year - 1)) throw invalid('records', fieldTexts.sourceOfYear(year - 1));
  const range = { userId, year, afterSpt: '', toSpt: LAST_SPT_NUMBER };
  const linked = await readLinkedObjects(
    tx,
    range,
    found.map(({ source }) => source),
  );
  const keyOf = (sptNumber: string): string => linked.find(sptNumber)?.nop ?? sptNumber.trim();
  const taken = new Set([...[...(await queries.findTakenSptNumbers(tx, range))].map(keyOf), ...linked.taken]);
  const planned = found.map(({ wanted, source }) => {
    const copy = copyOf(source, year);
    const key = keyOf(copy.sptNumber);
    if (source.successorId !== null || taken.has(key)) {
      throw conflict(errorTexts.newYearTaken(formatSptNumber(copy.sptNumber), year));
    }
    taken.add(key);
    const office = linked.find(key)?.values ?? null;
    return { source, copy: office ? withOffice(copy, wanted, office) : withChoice(copy, wanted) };
  });
  // Otherwise a copy that is deleted would be made again from an older record of its object (R-YEAR-6).
  const copiedKeys = new Set(found.map(({ source }) => keyOf(source.sptNumber)));
  const lastYear = { ...range, year: year - 1 };
  const rolledSptNumbers = [...(await queries.findTakenSptNumbers(tx, lastYear))].filter((sptNumber) =>
    copiedKeys.has(keyOf(sptNumber)),
  );
  return { planned, rolledSourceIds: await queries.findIdsWithSptNumbers(tx, lastYear, rolledSptNumbers) };
}

/** A suggestion that was left as it was gives way to the office's value; clients without the preview suggest an estimate. */
function withOffice(copy: RolloverCopy, wanted: ChosenCopy, office: OfficeValues): SourcedCopy {
  const { confirmed, previewed, due_date: dueDate } = wanted;
  const suggested = previewed ? office : copy;
  const amountSen = rupiahToSen(wanted.amount);
  const isOffice = !confirmed && (amountSen === suggested.amountSen || amountSen === office.amountSen);
  const isDateChosen = dueDate !== undefined && dueDate !== suggested.dueDate;
  return {
    ...copy,
    amountSen: isOffice ? office.amountSen : amountSen,
    amountSource: isOffice ? 'office' : 'typed',
    dueDate: isDateChosen ? dueDate : office.dueDate,
  };
}

function withChoice(copy: RolloverCopy, { amount, due_date: dueDate, confirmed }: ChosenCopy): SourcedCopy {
  const amountSen = rupiahToSen(amount);
  const amountSource = confirmed || amountSen !== copy.amountSen ? 'typed' : 'estimate';
  return { ...copy, amountSen, dueDate: dueDate === undefined ? copy.dueDate : dueDate, amountSource };
}
