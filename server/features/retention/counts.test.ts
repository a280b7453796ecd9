import { expect, it } from 'vitest';
import { RETENTION_CHOICES } from '#shared/limits.ts';
import { buildRecord, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { monthsMs } from './ages.ts';
import { type CountedStep, findUse, readOlderCounts } from './queries.ts';

it('counts in steps what each account and message alone says', async () => {
  const test = await buildTestApp();
  const { orm, now, operatingNow } = test.context;
  const { sqlite } = test.database;
  const clock = { series: 1, operating: operatingNow() };
  const terms = RETENTION_CHOICES.map((months) => ({ months, beforeMs: now() - monthsMs(months) }));
  const addMessage = sqlite.prepare(
    "insert into messages (user_id, sender_id, sender_name, from_admin, content, client_id, side_ordinal, created_at) values (?, ?, 'B', 0, 'x', ?, 1, ?)",
  );
  const ages = [0, 11, 13, 25, 37, 61, 121, 130].map((months) => now() - monthsMs(months));
  const ids = ages.flatMap((createdAt, index) =>
    ages.map((usedAt, kind) => {
      const { id } = buildTestUser(test, { createdAt, updatedAt: createdAt, email: `${index}-${kind}@desa.id` });
      sqlite.prepare('delete from sessions where user_id = ?').run(id);
      if (usedAt >= createdAt && kind % 2 === 0) buildRecord(test, id, { createdAt, updatedAt: usedAt });
      return id;
    }),
  );
  // The accounts were made with sessions of today.
  sqlite.exec('delete from account_activity');
  const [kept = ''] = ids.slice(-1);
  sqlite
    .prepare("insert into objects (nop, user_id, created_at, updated_at) values ('351518001200100010', ?, 1, 1)")
    .run(kept);
  for (const [index, createdAt] of ages.toReversed().entries())
    addMessage.run(ids[index * 8], ids[index * 8], `m${index}`, createdAt);
  const uses = await Promise.all(ids.map((id) => findUse(orm, clock, id)));
  const expected = terms.map(({ months, beforeMs }) => ({
    months,
    messages: ages.filter((at) => at < beforeMs).length,
    accounts: uses.filter((use) => use && !use.isKept && use.lastUsedAt < beforeMs).length,
  }));
  expect(expected.map(({ accounts }) => accounts)).toEqual(
    expected.map(({ accounts }) => accounts).toSorted((a, b) => b - a),
  );
  expect(expected[0]?.accounts).toBeGreaterThan(10);
  for (const limit of [1, 7, 64, 1000]) {
    const older = terms.map(({ months }) => ({ months, messages: 0, accounts: 0 }));
    for (let afterId: string | null = ''; afterId !== null;) {
      const step: CountedStep = await readOlderCounts(orm, { terms, operating: clock.operating, afterId, limit });
      for (const [index, sum] of older.entries()) {
        sum.messages += step.older[index]?.messages ?? 0;
        sum.accounts += step.older[index]?.accounts ?? 0;
      }
      afterId = step.lastId;
    }
    expect(older, String(limit)).toEqual(expected);
  }
});
