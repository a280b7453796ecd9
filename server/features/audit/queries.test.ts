import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { openTestDatabase } from '#server/testing/open-test-database.ts';
import { readAudit } from './queries.ts';

const TERMS = ['budi', 'a', 'zz'];
const entry = fc.record({
  label: fc.constantFrom('35.15 Budi', 'Ani', 'Joko'),
  actor: fc.constantFrom('BUDI', 'Ratna'),
  action: fc.constantFrom('record.created' as const, 'record.updated' as const),
});

it('counts what a search finds like a plain recount, however many entries came since it was asked before', async () => {
  const { sqlite, orm } = openTestDatabase();
  const add = sqlite.prepare(
    `insert into audit_entries (at, action, actor_id, actor_name, actor_is_admin, subject_id, subject_label, changes)
      values (1, ?, 'u', ?, 0, 's', ?, '[]')`,
  );
  const all: { label: string; actor: string; action: string }[] = [];
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.integer({ min: 1, max: 4 }), async (added, limit) => {
      for (const one of added) add.run(one.action, one.actor, one.label);
      all.push(...added);
      for (const search of TERMS) {
        for (const action of [undefined, 'record.created' as const]) {
          const expected = all.filter(
            (one) => `${one.label} ${one.actor}`.toLowerCase().includes(search) && (!action || one.action === action),
          ).length;
          const filter = { search, ...(action && { action }) };
          for (const offset of [0, limit, expected])
            expect((await readAudit(orm, { ...filter, limit, offset })).total).toBe(expected);
        }
      }
    }),
    { numRuns: 60 },
  );
});
