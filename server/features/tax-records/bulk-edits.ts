import type { BulkResult, RecordChange } from '#shared/api/tax-records/tax-records.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/engine.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { presentIds } from '#server/http/answers/present.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { nextUpdatedAt, requireUnchanged } from '#server/http/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';
import type { RecordRow } from './queries.ts';
import { mergeEdit, publishRecordChange } from './changes/record-changes.ts';
import { adminScope } from './changes/record-scopes.ts';
import { canUndo, columnsAfterUndo, findPutBack, wasBeforeCheck, wasMatched } from './changes/check-rules.ts';
import { noticeOfMatch, noticeOfUndo, type StoreNotice } from './changes/notices.ts';

/** A transaction holds the event loop. At 200,000 records 20 changes take 15 to 30 ms. */
const CHANGES_PER_TRANSACTION = 20;

type Applied = {
  before: RecordRow;
  after: RecordRow;
  /** The effect of the change on the report of the owner. */
  check: 'record.checked' | 'record.check_undone' | null;
};
type Outcome = { result: BulkResult; applied: Applied | null };

/** Edits status and payment date of many records, each with a result of its own (R-REC-29). */
export function createBulkEdits(context: ServiceContext, storeNotice: StoreNotice) {
  const { audit, write, now, publish } = context;
  const scope = adminScope(context);

  async function applyOne(
    tx: Transaction,
    currentUser: CurrentUser,
    change: RecordChange,
    atMs: number,
  ): Promise<Applied> {
    const before = (await queries.findRecord(tx, change.id))?.record;
    if (!before) throw notFound(errorTexts.adminRecordMissing);
    requireUnchanged(before, change.updated_at);
    if (change.undo && canUndo(before) && wasBeforeCheck(before, toPayment(change))) {
      const after = { ...before, ...columnsAfterUndo(before), updatedAt: nextUpdatedAt(before, atMs) };
      await queries.updateRecord(tx, after);
      return { before, after, check: 'record.check_undone' };
    }
    const edit = { status: change.status, payment_date: change.payment_date };
    const writing = { by: scope.author, byName: currentUser.name, nowMs: atMs, isUndo: change.undo ?? false };
    const after = mergeEdit(before, edit, null, writing);
    // A user may have reported a payment without its day.
    if (!(change.undo && findPutBack(before, after))) scope.requireValidEdit(after, edit);
    await queries.updateRecord(tx, after);
    return { before, after, check: wasMatched(before, after) ? 'record.checked' : null };
  }

  /** Nothing of a refused change is stored: each refusal comes before the update. */
  async function tryOne(
    tx: Transaction,
    currentUser: CurrentUser,
    change: RecordChange,
    atMs: number,
  ): Promise<Outcome> {
    try {
      const applied = await applyOne(tx, currentUser, change, atMs);
      return { result: presentResult(change.id, null, applied.after.updatedAt), applied };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { result: presentResult(change.id, error.message, null), applied: null };
    }
  }

  /** The audit entry and the notice of a change that also matched a report, or took a match back. */
  async function tellCheck(tx: Transaction, currentUser: CurrentUser, { before, after, check }: Applied, atMs: number) {
    if (check === null) return null;
    await audit.recordVerified(tx, currentUser, check, before, after, atMs);
    const notice = check === 'record.checked' ? noticeOfMatch : noticeOfUndo;
    return storeNotice(tx, notice(currentUser, after, before));
  }

  async function applyPart(currentUser: CurrentUser, part: readonly RecordChange[], atMs: number) {
    const { outcomes, notices } = await write(async (tx) => {
      await scope.requireLive(tx, currentUser);
      const tried: Outcome[] = [];
      for (const change of part) tried.push(await tryOne(tx, currentUser, change, atMs));
      const applied = tried.flatMap((outcome) => outcome.applied ?? []);
      const plain = applied.filter(({ check }) => check === null);
      await audit.recordsChanged(tx, currentUser, plain, atMs);
      const told: (() => Promise<void>)[] = [];
      for (const change of applied) {
        const publishNotice = await tellCheck(tx, currentUser, change, atMs);
        if (publishNotice) told.push(publishNotice);
      }
      return { outcomes: tried, notices: told };
    });
    for (const { applied } of outcomes) if (applied) publishRecordChange(publish, applied.after, 'updated');
    // At once: messages leave in the order of the commits, and a later one may come at any time.
    await Promise.all(notices.map((publishNotice) => publishNotice()));
    return outcomes.map(({ result }) => result);
  }

  return {
    /**
     * All entries of the audit have the same time, although the changes need several transactions.
     * @throws 401, 403 as soon as the admin's rights end; what was changed until then stays
     */
    async apply(currentUser: CurrentUser, changes: readonly RecordChange[]): Promise<BulkResult[]> {
      const atMs = now();
      const results: BulkResult[] = [];
      for (let from = 0; from < changes.length; from += CHANGES_PER_TRANSACTION) {
        results.push(...(await applyPart(currentUser, changes.slice(from, from + CHANGES_PER_TRANSACTION), atMs)));
      }
      return results;
    },
  };
}
export type BulkEdits = ReturnType<typeof createBulkEdits>;

const toPayment = ({ status, payment_date }: RecordChange) => ({ status, paymentDate: payment_date ?? null });

function presentResult(id: string, message: string | null, updatedAtMs: number | null): BulkResult {
  const updatedAt = updatedAtMs === null ? null : new Date(updatedAtMs).toISOString();
  return { ...presentIds(id), changed: message === null, message, updated_at: updatedAt, updatedAt };
}
