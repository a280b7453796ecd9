import type { LinkBody } from '#shared/api/dhkp/linking.ts';
import type { AssessedField } from '#shared/domain/tax-records/assessed-fields.ts';
import { dhkpTexts, fieldTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { listLinkedAssessments, listRecordsOfObjects } from '#server/records/linked-assessment-queries.ts';
import { type LinkedRecords, type PublishedRecord, publishedOf } from '#server/records/linked-records.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { type AssessmentRow, findAssessment } from '../assessment-queries.ts';
import * as queries from './link-queries.ts';

type LinkDeps = {
  /** Whether rows of the year are being put back as they were. */
  isReverting: (tx: Transaction, year: number) => Promise<boolean>;
  listChanged: (year: number) => void;
  linkedRecords: LinkedRecords;
};

/** A link that was made or removed: what follows after the commit. */
export type LinkChange = { years: readonly number[]; records: readonly PublishedRecord[] };

/** Links objects to the accounts of their owners, for all years (R-DHKP-31, R-DHKP-32). */
export function createLinkService(context: ServiceContext, { isReverting, listChanged, linkedRecords }: LinkDeps) {
  const { write, policy, audit, now } = context;

  /** @throws 404 for an unknown assessment, 409 while a year of the object is put back */
  async function requireObject(tx: Transaction, id: string): Promise<{ row: AssessmentRow; all: AssessmentRow[] }> {
    const row = await findAssessment(tx, id);
    if (!row) throw notFound(dhkpTexts.objectMissing);
    const all = await queries.listYearsOf(tx, row.nop);
    for (const { year } of all) if (await isReverting(tx, year)) throw conflict(dhkpTexts.reverting);
    return { row, all };
  }

  /**
   * Inside the caller's transaction.
   * @throws 404, 409 when the object has an account, 422 for an unknown account or an admin's, and beyond its quota
   */
  async function linkIn(
    tx: Transaction,
    currentUser: CurrentUser,
    id: string,
    userId: string,
    overwrite: readonly AssessedField[],
  ): Promise<LinkChange> {
    const { row, all } = await requireObject(tx, id);
    const linked = await queries.findAccountOf(tx, row.nop);
    if (linked) throw conflict(dhkpTexts.linkedTo(linked.name));
    const account = await queries.findAccount(tx, userId);
    if (!account) throw invalid('user_id', fieldTexts.pickUser);
    if (account.isAdmin) throw invalid('user_id', dhkpTexts.ownerIsAdmin);
    // Newer than each of its rows, whatever the clock says: so a later revert knows that the link came after them.
    const linkedAt = all.reduce((after, { updatedAt }) => Math.max(after, updatedAt + 1), now());
    await queries.setAccountOf(tx, row.nop, { userId, linkedAt }, now());
    const assessments = await listLinkedAssessments(tx, [row.nop]);
    const options = { overwrite, makes: () => true, beyondQuota: 'refuse' as const };
    const joins = await linkedRecords.join(tx, currentUser, assessments, options);
    const to = nameOf(account);
    await audit.objectLinked(tx, currentUser, 'dhkp.linked', row, { field: 'account', from: null, to });
    return { years: all.map(({ year }) => year), records: joins.map(publishedOf) };
  }

  /** Called after the commit. */
  function publishLink({ years, records }: LinkChange): void {
    linkedRecords.publish(records);
    for (const year of new Set(years)) listChanged(year);
  }

  return {
    linkIn,
    publishLink,

    /** @throws 401, 403, 404, 409, 422 */
    async link(currentUser: CurrentUser, id: string, { user_id: userId, overwrite }: LinkBody): Promise<void> {
      const linked = await write(async (tx) => {
        await policy.requireLiveAdmin(tx, currentUser);
        return linkIn(tx, currentUser, id, userId, overwrite ?? []);
      });
      publishLink(linked);
    },

    /** The records stay. @throws 401, 403, 404, 409 when it has no account */
    async unlink(currentUser: CurrentUser, id: string): Promise<void> {
      const unlinked = await write(async (tx): Promise<LinkChange> => {
        await policy.requireLiveAdmin(tx, currentUser);
        const { row, all } = await requireObject(tx, id);
        const account = await queries.findAccountOf(tx, row.nop);
        if (!account) throw conflict(dhkpTexts.notLinked);
        await queries.setAccountOf(tx, row.nop, { userId: null, linkedAt: null }, now());
        const from = nameOf(account);
        await audit.objectLinked(tx, currentUser, 'dhkp.unlinked', row, { field: 'account', from, to: null });
        const years = all.map(({ year }) => year);
        const ofYears = years.map((year) => ({ userId: account.id, nop: row.nop, year }));
        const records = (await listRecordsOfObjects(tx, ofYears)).flatMap((record) => record ?? []);
        return {
          years,
          records: records.map(({ id: recordId, userId }) => ({ id: recordId, userId, change: 'updated' as const })),
        };
      });
      publishLink(unlinked);
    },
  };
}
export type LinkService = ReturnType<typeof createLinkService>;

const nameOf = ({ name, email }: queries.AccountOfObject): string => `${name} (${email})`;
