import type { BulkResult, RecordChange } from '#shared/api/tax-records.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Transaction } from '#server/db/open.ts';
import { AppError, notFound } from '#server/http/errors.ts';
import { presentIds } from '#server/http/present.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { requireUnchanged } from '#server/row-version.ts';
import type { ServiceContext } from '#server/service-context.ts';
import * as queries from './queries.ts';
import type { RecordRow } from './queries.ts';
import { mergeEdit, publishRecordChange } from './record-changes.ts';
import { adminScope } from './record-scopes.ts';

/** A transaction holds the event loop. At 200,000 records 20 changes take 15 to 30 ms. */
const CHANGES_PER_TRANSACTION = 20;

type Applied = { before: RecordRow; after: RecordRow };
type Outcome = { result: BulkResult; applied: Applied | null };

/** Edits status and payment date of many records, each with a result of its own (R-REC-29). */
export function createBulkEdits(context: ServiceContext) {
  const { audit, write, now, publish } = context;
  const scope = adminScope(context);

  function applyOne(tx: Transaction, change: RecordChange, atMs: number): Applied {
    const before = queries.findRecord(tx, change.id)?.record;
    if (!before) throw notFound(errorTexts.adminRecordMissing);
    requireUnchanged(before, change.updated_at);
    const edit = { status: change.status, payment_date: change.payment_date };
    const after = mergeEdit(before, edit, null, { by: scope.author, nowMs: atMs });
    scope.requireValidEdit(after, edit);
    queries.updateRecord(tx, after);
    return { before, after };
  }

  /** Nothing of a refused change is stored: each refusal comes before the update. */
  function tryOne(tx: Transaction, change: RecordChange, atMs: number): Outcome {
    try {
      const applied = applyOne(tx, change, atMs);
      return { result: presentResult(change.id, null, applied.after.updatedAt), applied };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { result: presentResult(change.id, error.message, null), applied: null };
    }
  }

  async function applyPart(currentUser: CurrentUser, part: readonly RecordChange[], atMs: number) {
    const outcomes = await write((tx) => {
      scope.requireLive(currentUser);
      const tried = part.map((change) => tryOne(tx, change, atMs));
      const applied = tried.flatMap((outcome) => outcome.applied ?? []);
      audit.recordsChanged(tx, currentUser, applied, atMs);
      return tried;
    });
    for (const { applied } of outcomes) if (applied) publishRecordChange(publish, applied.after, 'updated');
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

function presentResult(id: string, message: string | null, updatedAtMs: number | null): BulkResult {
  const updatedAt = updatedAtMs === null ? null : new Date(updatedAtMs).toISOString();
  return { ...presentIds(id), changed: message === null, message, updated_at: updatedAt, updatedAt };
}
