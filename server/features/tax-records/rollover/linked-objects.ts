import { findNop } from '#shared/domain/dhkp/nop.ts';
import type { FindLinked, LinkedObject, RolloverSource } from '#shared/domain/tax-records/rollover.ts';
import type { ConnectionOrTransaction } from '#server/db/engine.ts';
import {
  listLinkedAssessments,
  listNopsOfAccount,
  listRecordsOfObjects,
} from '#server/records/linked-assessment-queries.ts';

/**
 * The objects that the office linked to an account, of those that its records name. An SPT number of another object reads
 * nothing from the list: no answer may tell whether the office has it (R-DHKP-36).
 * @param range the account, and the year of the copies
 * @returns `taken`: the NOPs of those that have a record in that year
 */
export async function readLinkedObjects(
  orm: ConnectionOrTransaction,
  { userId, year }: { userId: string; year: number },
  sources: readonly Pick<RolloverSource, 'sptNumber'>[],
): Promise<{ find: FindLinked; taken: string[] }> {
  const named = new Set(sources.flatMap(({ sptNumber }) => findNop(sptNumber) ?? []));
  if (named.size === 0) return { find: () => undefined, taken: [] };
  const nops = await listNopsOfAccount(orm, userId, named);
  if (nops.length === 0) return { find: () => undefined, taken: [] };
  const assessments = await listLinkedAssessments(orm, nops, year);
  const valuesOf = new Map(assessments.map(({ nop, amountSen, dueDate }) => [nop, { amountSen, dueDate }]));
  const linked = new Map(nops.map((nop): [string, LinkedObject] => [nop, { nop, values: valuesOf.get(nop) ?? null }]));
  const records = await listRecordsOfObjects(
    orm,
    nops.map((nop) => ({ userId, nop, year })),
  );
  const taken = nops.filter((_nop, index) => records[index] !== null);
  return { find: (sptNumber) => linked.get(findNop(sptNumber) ?? ''), taken };
}
