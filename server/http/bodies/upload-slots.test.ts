import { expect, it, type Mock, onTestFinished, vi } from 'vitest';
import { createUploadSlots, type Uploader } from './upload-slots.ts';

function buildSlots() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { acquire } = createUploadSlots();
  type Upload = ReturnType<typeof buildUpload>;
  /** By a user; each account has an address of its own unless one is given. */
  const acquireSlot = async (id: string, upload: Upload = buildUpload(1_000_000), more: Partial<Uploader> = {}) => {
    const release = await acquire({ id, isAdmin: false, address: id, ...more }, upload);
    upload.end.mockImplementation(release);
    return release;
  };
  return {
    acquire: acquireSlot,
    acquireAsAdmin: (id: string) => acquireSlot(id, undefined, { isAdmin: true }),
    /** Lets so many accounts, called `akun-0` and so on, take slots. */
    acquireMany: (uploads: readonly Upload[], accounts = uploads.length, more: Partial<Uploader> = {}) =>
      Promise.all(uploads.map(async (upload, index) => acquireSlot(`akun-${index % accounts}`, upload, more))),
  };
}

const buildUploads = (count: number, ...rest: Parameters<typeof buildUpload>) =>
  Array.from({ length: count }, () => buildUpload(...rest));
const endedOf = <T extends { end: Mock }>(uploads: readonly T[]): T[] =>
  uploads.filter(({ end }) => end.mock.calls.length > 0);

/** An upload that brings so many bytes a second from now on, and says how many it has. */
function buildUpload(bytesPerSecond: number, { isComplete = false, totalBytes = 150_000 } = {}) {
  const startedAt = performance.now();
  const end = vi.fn<() => void>();
  return {
    totalBytes,
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
  const { acquire, acquireMany } = buildSlots();
  const trickling = Array.from({ length: 19 }, (_, index) => buildUpload(150 + index));
  const uploads = [buildUpload(5000), ...trickling];
  await acquireMany(uploads);
  await vi.advanceTimersByTimeAsync(10_000);
  // No account waits, so no upload is ended.
  expect(endedOf(uploads)).toEqual([]);
  await acquire('siti');
  expect(endedOf(uploads)).toEqual([trickling[0]]);
});

it('admits a waiting account while fresh connections trickle on all slots', async () => {
  const { acquire, acquireMany } = buildSlots();
  await acquireMany(buildUploads(20, 150));
  const waiting = acquire('siti');
  await vi.advanceTimersByTimeAsync(4000);
  await waiting;
});

it('ends no upload of a slow phone, none that has arrived, and none for an account that has its own slots', async () => {
  const { acquire, acquireMany } = buildSlots();
  const uploads = [...buildUploads(9, 5000), ...buildUploads(9, 0, { isComplete: true })];
  const own = buildUpload(10);
  await acquireMany(uploads);
  await Promise.all([acquire('budi', own), acquire('budi', own)]);
  await vi.advanceTimersByTimeAsync(10_000);
  const third = expect(acquire('budi')).rejects.toMatchObject({ status: 429 });
  await vi.advanceTimersByTimeAsync(5000);
  await third;
  expect(endedOf([...uploads, own])).toEqual([]);
  own.isComplete = () => true;
  const other = expect(acquire('siti')).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(5000);
  await other;
  expect(endedOf([...uploads, own])).toEqual([]);
});

it('keeps four slots for admins, and gives users no more when admins use them', async () => {
  const { acquire, acquireAsAdmin, acquireMany } = buildSlots();
  const early = await Promise.all(['ratna', 'ratna'].map(acquireAsAdmin));
  const uploads = buildUploads(20, 1_000_000);
  await acquireMany(uploads);
  const user = expect(acquire('siti')).rejects.toMatchObject({ status: 503 });
  await Promise.all(['fitri', 'fitri'].map(acquireAsAdmin));
  for (const release of early) release();
  await Promise.all(['joko', 'joko'].map(acquireAsAdmin));
  await vi.advanceTimersByTimeAsync(5000);
  await user;
  expect(endedOf(uploads)).toEqual([]);
});

it('admits accounts without uploads while ten others bring 3,400 bytes a second on two slots each', async () => {
  const { acquire, acquireMany } = buildSlots();
  const uploads = buildUploads(20, 3400);
  await acquireMany(uploads, 10);
  const first = acquire('siti');
  // The ones that were ended come back at once.
  const again = acquire('akun-0', buildUpload(3400)).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(4000);
  const releaseFirst = await first;
  expect(endedOf(uploads)).toHaveLength(1);
  const second = acquire('tono');
  await vi.advanceTimersByTimeAsync(500);
  await second;
  releaseFirst();
  await again;
});

it('admits an address without uploads while twenty accounts of four others bring 3,400 bytes a second', async () => {
  const { acquire } = buildSlots();
  const uploads = buildUploads(20, 3400, { totalBytes: 110_000 });
  await Promise.all(
    uploads.map(async (upload, index) => acquire(`akun-${index}`, upload, { address: `${index % 4}` })),
  );
  const first = acquire('siti');
  // An address that has some waits until one of them is released.
  const again = expect(acquire('akun-20', undefined, { address: '0' })).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(4000);
  await first;
  const second = acquire('tono');
  await vi.advanceTimersByTimeAsync(500);
  await second;
  await vi.advanceTimersByTimeAsync(500);
  await again;
  expect(endedOf(uploads)).toHaveLength(2);
});

it('lets a phone with 5 KB a second bring its photo of 300 KB while others wait all the time', async () => {
  const { acquire, acquireMany } = buildSlots();
  const photo = buildUpload(5000, { totalBytes: 300_000 });
  await acquire('siti', photo);
  const crowd = buildUploads(19, 20_000, { totalBytes: 1_000_000 });
  await acquireMany(crowd, 19, { address: 'satu' });
  for (let second = 0; second < 60; second += 1) {
    void acquire(`baru-${second}`, buildUpload(20_000), { address: `${second % 4}` }).catch(() => undefined);
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(photo.readBytes()).toBe(300_000);
  expect(endedOf([photo, ...crowd])).not.toContain(photo);
  expect(endedOf(crowd).length).toBeGreaterThan(0);
});

it('ends an upload that stalls after most of it came, when it has its slot for 75 seconds and another account waits', async () => {
  const { acquire, acquireMany } = buildSlots();
  const stalling = buildUpload(0);
  stalling.readBytes = () => (performance.now() - startedAt < 100 ? 0 : 4_900_000);
  stalling.totalBytes = 5_000_000;
  const startedAt = performance.now();
  await acquire('budi', stalling);
  await acquireMany(buildUploads(19, 1_000_000, { isComplete: true }));
  await vi.advanceTimersByTimeAsync(74_000);
  const waiting = acquire('siti');
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
  expect(endedOf([stalling])).toEqual([stalling]);
});

it('ends what would keep its slot for more than 75 seconds, the slowest first, when another account waits', async () => {
  const { acquire, acquireMany } = buildSlots();
  const slower = buildUpload(3400, { totalBytes: 5_000_000 });
  const unknown = buildUpload(10_000, { totalBytes: Infinity });
  const uploads = [...buildUploads(18, 3400, { totalBytes: 110_000 }), unknown, slower];
  await acquireMany(uploads);
  await vi.advanceTimersByTimeAsync(4000);
  expect(endedOf(uploads)).toEqual([]);
  await acquire('siti');
  expect(endedOf(uploads)).toEqual([slower]);
  const next = acquire('tono');
  await vi.advanceTimersByTimeAsync(500);
  await next;
  expect(endedOf(uploads)).toEqual([unknown, slower]);
});

it('leaves an address six slots when three others want more', async () => {
  const { acquire, acquireMany } = buildSlots();
  const uploads = buildUploads(20, 20_000, { totalBytes: 500_000 });
  await acquireMany(uploads, 20, { address: 'satu' });
  const sameAddress = expect(acquire('budi', undefined, { address: 'satu' })).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(5000);
  await sameAddress;
  expect(endedOf(uploads)).toEqual([]);
  const others = Array.from({ length: 15 }, async (_, index) =>
    acquire(`lain-${index}`, buildUpload(1_000_000), { address: `lain-${index % 3}` }),
  );
  const outcomes = Promise.allSettled(others);
  await vi.advanceTimersByTimeAsync(15_000);
  expect((await outcomes).filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(10);
  expect(endedOf(uploads).length).toBeLessThanOrEqual(14);
});

it.each([
  ['an account', 15, {}],
  ['an address', 60, { address: 'satu' }],
])('makes room in a full queue that %s crowds, and always for admins', async (_, accounts, more) => {
  const { acquire, acquireAsAdmin, acquireMany } = buildSlots();
  const releases = await acquireMany(buildUploads(20, 1_000_000));
  const crowd = Array.from({ length: 60 }, async (__, index) => acquire(`ramai-${index % accounts}`, undefined, more));
  const outcomes = Promise.allSettled(crowd);
  const waiting = acquire('siti');
  await expect(Promise.race(crowd)).rejects.toMatchObject({ status: 503 });
  // The one that was displaced does not displace others.
  await expect(acquire('ramai-0', undefined, more)).rejects.toMatchObject({ status: 503 });
  await Promise.all(['ratna', 'ratna', 'fitri', 'fitri'].map(acquireAsAdmin));
  const admin = acquireAsAdmin('joko');
  for (const release of releases) release();
  await Promise.all([waiting, admin]);
  await vi.advanceTimersByTimeAsync(5000);
  expect((await outcomes).filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(20);
});
