import { ApiError, messageOf } from '#client/lib/api/api-error.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { BulkResult, RecordChange, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { RecordStatus } from '#shared/domain/tax-records/record-values.ts';

/** The fields of a record that marking it as paid and the undo need. */
export type MarkableRecord = Pick<
  TaxRecord,
  'id' | 'name' | 'spt_number' | 'year' | 'amount' | 'status' | 'payment_date' | 'verification' | 'updated_at'
> &
  Partial<Pick<TaxRecord, 'amount_source' | 'payment_proof'>>;
/** A record that was changed, with the `updated_at` that it has now. */
export type MarkedRecord = { record: MarkableRecord; updatedAt: string };
export type MarkPaidResult = {
  done: MarkedRecord[];
  failed: { record: MarkableRecord; reason: string }[];
  /** Not tried, because the admin stopped or the connection broke. */
  notAttempted: MarkableRecord[];
};

/** The state to which a record is set. `undo`: it was so before, and a match that came with the change ends, too. */
type Target = { status: RecordStatus; payment_date: string | null; undo?: true };

/** Whether marking the record as paid also matches what its owner reported (R-CHECK-41). */
export const isReportWaiting = ({ status, verification }: MarkableRecord): boolean =>
  verification.state === 'pending' && status !== 'lunas';

/** The reports that the same act matches, for the question: '2 laporan warga sekaligus dicatat cocok, 1 tanpa foto'; null: none. */
export function matchedTogetherText(records: readonly MarkableRecord[]): string | null {
  const waiting = records.filter(isReportWaiting);
  if (waiting.length === 0) return null;
  const withoutPhoto = waiting.filter(({ payment_proof: proof }) => proof === null).length;
  const photos = withoutPhoto > 0 ? `, ${formatNumber(withoutPhoto)} tanpa foto` : '';
  return `${formatNumber(waiting.length)} laporan warga sekaligus dicatat cocok${photos}`;
}

type Options = {
  send: (changes: readonly RecordChange[]) => Promise<{ results: BulkResult[] }>;
  onProgress: (finished: number) => void;
  signal: AbortSignal;
};

/** One call has so many changes: a stop takes effect soon, and the progress moves. */
const CHANGES_PER_CALL = 200;
const FAILED_TEXT = 'Gagal memperbarui data pajak';

/** Sends one call after the other, so that a stop leaves no call unanswered. Each record has its own result. */
async function changeAll(
  wanted: readonly { record: MarkableRecord; updatedAt: string; target: Target }[],
  { send, onProgress, signal }: Options,
): Promise<MarkPaidResult> {
  const result: MarkPaidResult = { done: [], failed: [], notAttempted: [] };
  let isStopped = false;
  for (let from = 0; from < wanted.length; from += CHANGES_PER_CALL) {
    const part = wanted.slice(from, from + CHANGES_PER_CALL);
    if (isStopped || signal.aborted) {
      result.notAttempted.push(...part.map(({ record }) => record));
      continue;
    }
    try {
      const changes = part.map(({ record, updatedAt, target }) => ({
        id: record.id,
        updated_at: updatedAt,
        ...target,
      }));
      const { results } = await send(changes);
      for (const [index, { record }] of part.entries()) {
        const answer = results[index];
        if (answer?.changed) result.done.push({ record, updatedAt: answer.updated_at ?? '' });
        else result.failed.push({ record, reason: answer?.message ?? FAILED_TEXT });
      }
    } catch (error) {
      const text = messageOf(error, error instanceof Error && error.message ? error.message : '');
      result.failed.push(...part.map(({ record }) => ({ record, reason: text || FAILED_TEXT })));
      // Without a connection, a session or the role every further call would fail too.
      isStopped = !(error instanceof ApiError) || error.kind !== 'http' || error.status === 401 || error.status === 403;
    }
    onProgress(Math.min(from + CHANGES_PER_CALL, wanted.length));
  }
  return result;
}

/** Marks records as paid on a date (yyyy-mm-dd). The server refuses those that changed since they were loaded (R-REC-9). */
export function markPaid(records: readonly MarkableRecord[], date: string, options: Options): Promise<MarkPaidResult> {
  const target = { status: 'lunas', payment_date: date } as const;
  return changeAll(
    records.map((record) => ({ record, updatedAt: record.updated_at, target })),
    options,
  );
}

/** Sets paid records back to 'belum_lunas', which removes their payment date. */
export function unmarkPaid(records: readonly MarkableRecord[], options: Options): Promise<MarkPaidResult> {
  const target = { status: 'belum_lunas', payment_date: null } as const;
  return changeAll(
    records.map((record) => ({ record, updatedAt: record.updated_at, target })),
    options,
  );
}

/** Gives marked records their former status and payment date, unless they were changed since. */
export function restoreRecords(marked: readonly MarkedRecord[], options: Options): Promise<MarkPaidResult> {
  return changeAll(
    marked.map(({ record, updatedAt }) => {
      const { status, payment_date } = record;
      return { record, updatedAt, target: { status, payment_date, undo: true } };
    }),
    options,
  );
}
