import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indexNewer, indexOlder, mergeIndex, readIndexRange } from '#server/messages/message-index-queries.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser, type SignedInUser } from '#server/testing/factories.ts';
import { searchMessages } from './search.ts';
import { statementsEnded } from '#server/testing/postgres/open-postgres.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';

const RUNS = 25;
const NAMES = ['Budi Pajak', "Siti d'Or-PAJ_bumi 45", 'Ándi Bumi'];
const text = fc
  .array(
    fc.constantFrom('pajak', 'PAJAKNYA', 'pájak', 'bumi', 'Rp', '45.000', '45 000', '32.75.010', 'siti', '🙏', 'ok!'),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .map((words) => words.join(' '));
const query = fc
  .array(fc.constantFrom('pajak', 'paj', 'bumi', 'Bu', 'rp', '45.000', '45', '32.75', 'siti', 'budi', 'andi', '"*'), {
    minLength: 1,
    maxLength: 3,
  })
  .map((words) => words.join(' '));
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('send' as const), user: fc.nat(2), byAdmin: fc.boolean(), text }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear' as const), user: fc.nat(2) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('indexNewer' as const), limit: fc.integer({ min: 1, max: 9 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('indexOlder' as const), limit: fc.integer({ min: 1, max: 9 }) }),
  },
);

/** All runs share one app, so they would send too much for one. */
const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };

type Stored = { id: number; user: number; content: string };

const wordsOf = (content: string): string =>
  ` ${content
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;

/** The rule of R-SEARCH-2 in its plainest form. */
function matches({ user, content }: Stored, q: string, withNames: boolean): boolean {
  const pieces = q.split(' ').filter((piece) => wordsOf(piece).trim() !== '');
  const terms = pieces.map((piece) => [wordsOf(piece).trim(), /\w$/.test(piece)] as const);
  return terms.every(([words, isTyped], index) => {
    const wanted = index === terms.length - 1 && isTyped ? ` ${words}` : ` ${words} `;
    return wordsOf(content).includes(wanted) || (withNames && wordsOf(NAMES[user] ?? '').includes(wanted));
  });
}

it('finds the same as a plain search through all histories, page by page, however far the index is', async () => {
  const { test, send, clear } = await buildChatApp({ settings });
  const ratna = buildAdmin(test);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.nat(30),
      fc.array(query, { minLength: 4, maxLength: 8 }),
      async (steps, unindexed, queries) => {
        // The indexer may still be at work, and this thread waits for its own statement.
        await statementsEnded();
        // Of the run before; the triggers remove them from the index.
        test.database.sqlite.exec('delete from messages; delete from users where is_admin = 0');
        const users = NAMES.map((name) => buildTestUser(test, { name }));
        const { write, orm } = test.context;
        let stored: Stored[] = [];
        for (const [at, each] of steps.entries()) {
          // PostgreSQL has no index that lags behind.
          if (at === unindexed && testServer === '') {
            test.database.sqlite.exec(`insert into message_words (message_words) values ('delete-all');
              update message_index set after_id = coalesce((select max(id) from messages), 0),
                up_to_id = coalesce((select max(id) from messages), 0)`);
          }
          if (each.kind === 'send') {
            const user = users[each.user] as SignedInUser;
            const { id } = await (each.byAdmin ? send(ratna, user, each.text) : send(user, ratna, each.text));
            stored.unshift({ id: Number(id), user: each.user, content: each.text });
          } else if (each.kind === 'clear') {
            await clear(ratna, (users[each.user] as SignedInUser).id);
            stored = stored.filter(({ user }) => user !== each.user);
          } else {
            await write((tx) => (each.kind === 'indexNewer' ? indexNewer(tx, each.limit) : indexOlder(tx, each.limit)));
            await write((tx) => mergeIndex(tx, 2));
          }
        }
        const { afterId } = await readIndexRange(orm);
        for (const q of queries) {
          const limit = 1 + (q.length % 4);
          for (const userId of [null, (users[1] as SignedInUser).id]) {
            const wanted = stored.filter(
              (message) =>
                (userId === null || message.user === 1) &&
                wordsOf(q).trim() !== '' &&
                matches(message, q, userId === null),
            );
            const found: number[] = [];
            let before = Number.MAX_SAFE_INTEGER;
            for (let hasMore = true; hasMore;) {
              const page = await searchMessages(orm, { query: q, userId, before, limit }, 0);
              found.push(...page.found.map(({ row }) => row.id));
              before = found.at(-1) ?? 0;
              ({ hasMore } = page);
            }
            // A name may find a message already that is not indexed yet.
            const foundEarly = new Set(userId === null ? found.filter((id) => id <= afterId) : []);
            const isExpected = ({ id }: Stored): boolean => userId !== null || id > afterId || foundEarly.has(id);
            expect(found, q).toEqual(wanted.filter(isExpected).map(({ id }) => id));
          }
        }
      },
    ),
    { numRuns: RUNS },
  );
});
