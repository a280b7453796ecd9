import { ApiError, messageOf } from '#client/lib/api-error.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';

export type MarkPaidResult = {
  done: TaxRecord[];
  failed: { record: TaxRecord; reason: string }[];
  /** Not tried, because the admin stopped or the connection broke. */
  notAttempted: TaxRecord[];
};

type Options = {
  mark: (record: TaxRecord) => Promise<unknown>;
  onProgress: (finished: number) => void;
  signal: AbortSignal;
};

/** Without a connection, a session or the role every further call would fail too. */
function isUnrecoverable(error: unknown): boolean {
  return !(error instanceof ApiError) || error.kind !== 'http' || error.status === 401 || error.status === 403;
}

/** Sends one call after the other, so that a stop leaves no call unanswered and each record has its own result. */
export async function markPaid(
  records: readonly TaxRecord[],
  { mark, onProgress, signal }: Options,
): Promise<MarkPaidResult> {
  const result: MarkPaidResult = { done: [], failed: [], notAttempted: [] };
  let isStopped = false;
  for (const [index, record] of records.entries()) {
    if (isStopped || signal.aborted) {
      result.notAttempted.push(record);
      continue;
    }
    try {
      await mark(record);
      result.done.push(record);
    } catch (error) {
      const text = messageOf(error, error instanceof Error && error.message ? error.message : '');
      result.failed.push({ record, reason: text || 'Gagal memperbarui data pajak' });
      isStopped = isUnrecoverable(error);
    }
    onProgress(index + 1);
  }
  return result;
}
