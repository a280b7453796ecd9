import { expect, it, onTestFinished, vi } from 'vitest';
import { createUploadSlots } from './upload-slots.ts';

function buildSlots() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { acquire } = createUploadSlots();
  return { acquire: (accountId: string, upload = buildUpload(1_000_000)) => acquire(accountId, upload) };
}

/** An upload that brings so many bytes a second from now on. */
function buildUpload(bytesPerSecond: number, isComplete = false) {
  const startedAt = performance.now();
  const end = vi.fn();
  return {
    readBytes: () => ((performance.now() - startedAt) / 1000) * bytesPerSecond,
    isComplete: () => isComplete,
    end,
  };
}

it('gives an account two slots, and the next one when a slot is released', async () => {
  const { acquire } = buildSlots();
  const releaseFirst = await acquire('budi');
  await acquire('budi');
  const third = acquire('budi');
  await acquire('siti');
  releaseFirst();
  releaseFirst();
  const releaseThird = await third;
  // The second release of the first slot gave nothing away.
  const fourth = acquire('budi');
  const refused = expect(fourth).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
  await vi.advanceTimersByTimeAsync(5000);
  await refused;
  releaseThird();
});

it('answers 503 to an account without uploads when the slots of all are taken, and a slot to who still waits', async () => {
  const { acquire } = buildSlots();
  const releases = await Promise.all(Array.from({ length: 20 }, async (_, index) => acquire(`akun-${index}`)));
  const late = acquire('siti');
  const refused = expect(late).rejects.toMatchObject({
    status: 503,
    message: 'Server sedang sibuk. Coba lagi.',
    headers: { 'retry-after': '5' },
  });
  await vi.advanceTimersByTimeAsync(4000);
  const inTime = acquire('tono');
  await vi.advanceTimersByTimeAsync(1000);
  await refused;
  releases[0]?.();
  await inTime;
});

it('refuses at once when too many wait already', async () => {
  const { acquire } = buildSlots();
  const settled = Promise.allSettled(Array.from({ length: 80 }, async (_, index) => acquire(`akun-${index}`)));
  await expect(acquire('siti')).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(5000);
  const outcomes = await settled;
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
});

it('ends the slowest upload that only trickles when another account waits for its slot', async () => {
  const { acquire } = buildSlots();
  const trickling = Array.from({ length: 19 }, (_, index) => buildUpload(150 + index));
  const uploads = [buildUpload(5000), ...trickling];
  const releases = await Promise.all(uploads.map(async (upload, index) => acquire(`akun-${index}`, upload)));
  uploads.forEach((upload, index) => upload.end.mockImplementation(() => releases[index]?.()));
  await vi.advanceTimersByTimeAsync(10_000);
  // No account waits, so no upload is ended.
  expect(uploads.filter(({ end }) => end.mock.calls.length > 0)).toEqual([]);
  await acquire('siti');
  expect(uploads.filter(({ end }) => end.mock.calls.length > 0)).toEqual([trickling[0]]);
});

it('admits a waiting account while fresh connections trickle on all slots', async () => {
  const { acquire } = buildSlots();
  const uploads = Array.from({ length: 20 }, () => buildUpload(150));
  const releases = await Promise.all(uploads.map(async (upload, index) => acquire(`akun-${index}`, upload)));
  uploads.forEach((upload, index) => upload.end.mockImplementation(() => releases[index]?.()));
  const waiting = acquire('siti');
  await vi.advanceTimersByTimeAsync(4000);
  await waiting;
});

it('ends no upload of a slow phone, none that has arrived, and none for an account that has its own slots', async () => {
  const { acquire } = buildSlots();
  const uploads = Array.from({ length: 18 }, (_, index) => buildUpload(index % 2 === 0 ? 5000 : 0, index % 2 === 1));
  const own = buildUpload(10);
  await Promise.all(uploads.map(async (upload, index) => acquire(`akun-${index}`, upload)));
  await Promise.all([acquire('budi', own), acquire('budi', own)]);
  await vi.advanceTimersByTimeAsync(10_000);
  const third = expect(acquire('budi')).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(5000);
  await third;
  expect([...uploads, own].filter(({ end }) => end.mock.calls.length > 0)).toEqual([]);
  own.readBytes = () => 1_000_000;
  const other = expect(acquire('siti')).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(5000);
  await other;
  expect([...uploads, own].filter(({ end }) => end.mock.calls.length > 0)).toEqual([]);
});
