import { expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import type { BulkResult, RecordChange } from '#shared/api/tax-records/tax-records.ts';
import { markPaid, matchedTogetherText, restoreRecords } from './mark-paid.ts';

type Send = (changes: readonly RecordChange[]) => Promise<{ results: BulkResult[] }>;
const signal = new AbortController().signal;
const onProgress = () => {};

function accept(changes: readonly RecordChange[]): { results: BulkResult[] } {
  return {
    results: changes.map(({ id }) => ({
      id,
      _id: id,
      changed: true,
      message: null,
      updated_at: `neu-${id}`,
      updatedAt: `neu-${id}`,
    })),
  };
}

it('sends 200 records a call, and stops when it is aborted', async () => {
  const records = Array.from({ length: 450 }, () => buildRecord());
  const abort = new AbortController();
  const send = vi.fn<Send>().mockImplementation(async (changes) => {
    if (send.mock.calls.length === 2) abort.abort();
    return accept(changes);
  });
  const progress: number[] = [];
  const result = await markPaid(records, '2026-01-02', {
    send,
    onProgress: (count) => progress.push(count),
    signal: abort.signal,
  });
  expect(send.mock.calls.map(([changes]) => changes.length)).toEqual([200, 200]);
  expect(progress).toEqual([200, 400]);
  expect(result.done).toHaveLength(400);
  expect(result.notAttempted).toEqual(records.slice(400));
});

it('reports a broken connection for the records of its call and tries no other', async () => {
  const records = Array.from({ length: 201 }, () => buildRecord());
  const send = vi.fn<Send>().mockRejectedValue(new ApiError('network'));
  const result = await markPaid(records, '2026-01-02', { send, onProgress, signal });
  expect(send).toHaveBeenCalledTimes(1);
  expect(result.failed).toHaveLength(200);
  expect(result.failed[0]?.reason).toBe('Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.');
  expect(result.notAttempted).toEqual([records[200]]);
});

it('names the reports that the same act matches, and those without a photo', () => {
  const verification = { state: 'pending', at: null, by_name: null, reason: null } as const;
  const reported = buildRecord({ status: 'proses', verification, payment_proof: '/uploads/a.jpg' });
  const claimed = buildRecord({ status: 'lunas', verification });
  expect(matchedTogetherText([buildRecord(), claimed])).toBeNull();
  expect(matchedTogetherText([reported, claimed])).toBe('1 laporan warga sekaligus dicatat cocok');
  expect(matchedTogetherText([reported, { ...reported, payment_proof: null }])).toBe(
    '2 laporan warga sekaligus dicatat cocok, 1 tanpa foto',
  );
});

it('restores the former status with the time of the mark', async () => {
  const record = buildRecord({ status: 'proses' });
  const send = vi.fn<Send>().mockImplementation(async (changes) => accept(changes));
  const { done } = await markPaid([record], '2026-01-02', { send, onProgress, signal });
  await restoreRecords(done, { send, onProgress, signal });
  expect(send.mock.calls.map(([changes]) => changes)).toEqual([
    [{ id: record.id, updated_at: record.updated_at, status: 'lunas', payment_date: '2026-01-02' }],
    [{ id: record.id, updated_at: `neu-${record.id}`, status: 'proses', payment_date: null, undo: true }],
  ]);
});
