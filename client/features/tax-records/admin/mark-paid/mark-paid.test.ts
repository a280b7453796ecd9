import { expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api-error.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { markPaid } from './mark-paid.ts';

const signal = new AbortController().signal;

const [a, b, c] = [buildRecord(), buildRecord(), buildRecord()];

it('stops when it is aborted or the connection breaks, and lists the remaining records', async () => {
  const abort = new AbortController();
  const mark = vi.fn<() => Promise<void>>().mockImplementation(async () => abort.abort());
  expect(await markPaid([a, b], { mark, onProgress: () => {}, signal: abort.signal })).toEqual({
    done: [a],
    failed: [],
    notAttempted: [b],
  });
  mark.mockRejectedValue(new ApiError('network'));
  expect(await markPaid([a, b, c], { mark, onProgress: () => {}, signal })).toEqual({
    done: [],
    failed: [{ record: a, reason: 'Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.' }],
    notAttempted: [b, c],
  });
});
