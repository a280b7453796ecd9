import * as fc from 'fast-check';
import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { users } from '#server/db/schema.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { readConversations } from './list-queries.ts';

it('finds the conversations of the users whose name or e-mail contains a text of any length, and of no admin', async () => {
  const test = await buildTestApp();
  const { orm } = test.context;
  const accounts = [...Array.from({ length: 8 }, () => buildTestUser(test)), buildAdmin(test)];
  const name = fc.string({ unit: fc.constantFrom('a', 'B', 'b', '%', '_', '.', 'é', 'É', ' '), maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 9, maxLength: 9 }), name, fc.nat(4), async (names, term, limit) => {
      for (const [index, { id }] of accounts.entries())
        test.database.direct
          .update(users)
          .set({ name: names[index] ?? '' })
          .where(eq(users.id, id))
          .run();
      const contains = (text: string): boolean => text.toLowerCase().includes(term.toLowerCase());
      const expected = accounts
        .filter(({ isAdmin, email }, index) => !isAdmin && (contains(names[index] ?? '') || contains(email)))
        .map(({ id }) => id);
      if (term === '') return;
      const all = await readConversations(orm, { search: term, all: true, limit: 50, offset: 0 });
      expect(all.rows.map(({ user }) => user.id).toSorted()).toEqual(expected.toSorted());
      expect(all.total).toBe(expected.length);
      const page = await readConversations(orm, { search: term, all: true, limit: limit + 1, offset: 1 });
      expect(page.rows).toEqual(all.rows.slice(1, limit + 2).map((row) => expect.objectContaining({ user: row.user })));
      expect(page.total).toBe(expected.length);
    }),
  );
});
