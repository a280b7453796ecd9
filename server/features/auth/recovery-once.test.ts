import { expect, it, vi } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { complete, makeCodeFor } from '#server/testing/recovery.ts';
import { storedSessions } from '#server/testing/rows.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

// A hundred hashes at their real cost take minutes on a slow computer; here their number and order matter.
vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  const cheap: typeof crypto.argon2 = (algorithm, parameters, done) =>
    crypto.argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, done);
  return { ...crypto, argon2: cheap };
});

it('a code works once: of 50 callers one gets in', async () => {
  const test = await buildTestApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  const code = await makeCodeFor(test, ratna, budi.id);
  const callers = Array.from({ length: 50 }, (_, index) => complete(test, code, `10.0.1.${index}`));
  const statuses = (await Promise.all(callers)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(49).fill(422)]);
  expect(storedSessions(test).filter(({ userId, entry }) => userId === budi.id && entry === 'code')).toHaveLength(1);
});
