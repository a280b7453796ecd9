import { expect, it, onTestFinished, vi } from 'vitest';
import { createUploadSlots } from './upload-slots.ts';

function buildSlots() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return createUploadSlots();
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
