import * as fc from 'fast-check';
import { eq, or } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { containsText } from '#server/db/search.ts';
import { users } from '#server/db/schema.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { anyText } from '#server/testing/record-changes.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { readUsers } from './queries.ts';
import { itOnSqlite } from '#server/testing/on-sqlite.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

const change = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), name: anyText(), isAdmin: fc.boolean() }),
  fc.record({ kind: fc.constant('rename' as const), index: fc.nat(20), name: anyText() }),
  fc.record({ kind: fc.constant('move' as const), index: fc.nat(20), email: anyText() }),
  fc.record({ kind: fc.constant('delete' as const), index: fc.nat(20) }),
);

it('finds exactly the accounts that a comparison of all names and e-mails finds, after any changes', async () => {
  const test = await buildTestApp();
  const { direct: orm, sqlite } = test.database;
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 20 }),
      fc.array(anyText(3), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(undefined, true, false),
      async (changes, terms, isAdmin) => {
        const names: string[] = [];
        for (const each of changes) {
          count += 1;
          if (each.kind === 'add') buildTestUser(test, { name: each.name, isAdmin: each.isAdmin });
          const ids = orm.select({ id: users.id }).from(users).all();
          const isChosen = eq(users.id, ids['index' in each ? each.index % Math.max(1, ids.length) : 0]?.id ?? '');
          if (each.kind === 'rename') orm.update(users).set({ name: each.name }).where(isChosen).run();
          if (each.kind === 'move')
            orm
              .update(users)
              .set({ email: `${each.email}${count}` })
              .where(isChosen)
              .run();
          if (each.kind === 'delete') orm.delete(users).where(isChosen).run();
          if ('name' in each) names.push(each.name.slice(1));
        }
        for (const search of [...terms, ...names].filter((text) => text.trim() !== '')) {
          const contains = or(containsText(users.name, search), containsText(users.email, search));
          const wanted = await test.context.orm.select().from(users).where(contains).all();
          const wantedIds = wanted
            .filter((row) => isAdmin === undefined || row.isAdmin === isAdmin)
            .map(({ id }) => id);
          const filter = { search, limit: 1000, offset: 0, ...(isAdmin !== undefined && { is_admin: isAdmin }) };
          const { rows, total } = await readUsers(test.context.orm, filter);
          expect(rows.map(({ id }) => id).toSorted(), JSON.stringify(search)).toEqual(wantedIds.toSorted());
          expect(total).toBe(wantedIds.length);
        }
      },
    ),
    { numRuns: 60 },
  );
  if (testServer === '') sqlite.exec("insert into user_words (user_words, rank) values ('integrity-check', 1)");
});

itOnSqlite('leaves no part of the name or e-mail of a deleted account in the search index', async () => {
  const test = await buildTestApp();
  const { direct: orm, sqlite } = test.database;
  for (let index = 0; index < 50; index += 1) buildTestUser(test);
  const { id } = buildTestUser(test, { name: 'Xyzzyqua', email: 'plughvwx@contoh.id' });
  sqlite.exec('create virtual table temp.parts using fts5vocab(main, user_words, row)');
  const listParts = (): string[] => sqlite.prepare<[], string>('select term from temp.parts').pluck().all();
  const own = ['xyz', 'yzz', 'zyq', 'qua', 'plu', 'ghv', 'vwx'];
  expect(listParts()).toEqual(expect.arrayContaining(own));
  orm.delete(users).where(eq(users.id, id)).run();
  expect(listParts().filter((part) => own.includes(part))).toEqual([]);
});
