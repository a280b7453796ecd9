import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MessageSearchResult } from '#shared/api/chat/inbox.ts';
import { indexNewer } from '#server/messages/message-index-queries.ts';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { searchMessages } from './search.ts';
import { cutSnippet } from './search-answers.ts';

const OPERATORS = [
  '"',
  '""',
  '*',
  '(',
  ')',
  'AND',
  'OR',
  'NOT',
  'NEAR(',
  'content:',
  '^',
  '+',
  '-',
  '{',
  '%',
  '_',
  "'",
  ';--',
  '\0',
  '\uD83D',
  '\u{1F64F}',
  'rank',
  '\u0301',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...OPERATORS), fc.string({ unit: 'binary', maxLength: 12 }), fc.constant(' ')), {
    maxLength: 20,
  })
  .map((parts) => parts.join(''));

it('answers every query, whatever is in it, and marks places within the snippet', async () => {
  const { test, send } = await buildChatApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test, { name: 'Budi "AND" %' })];
  await send(budi, ratna, `NEAR("a" b) AND OR NOT rank content: ${'x '.repeat(300)} 🙏 akhir`);
  await test.context.write((tx) => indexNewer(tx, 10));
  await fc.assert(
    fc.asyncProperty(hostile, fc.boolean(), async (q, own) => {
      const path = own ? '/api/messages/search' : '/api/admin/messages/search';
      const query = new URLSearchParams({ q, limit: '1' }).toString();
      const { status, body } = await test.call('GET', `${path}?${query}`, { token: own ? budi.token : ratna.token });
      expect(status).toBe(200);
      for (const { snippet, marks } of (body as { data: { data: MessageSearchResult[] } }).data.data) {
        let end = 0;
        for (const [from, to] of marks) {
          expect(from).toBeGreaterThanOrEqual(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(snippet.length);
      }
      // The index itself gets the question too.
      await searchMessages(test.context.orm, { query: q, userId: null, before: 1e9, limit: 5 }, 0);
    }),
    { numRuns: 300 },
  );
});

it('refuses no value of the other parameters', async () => {
  const { test, send } = await buildChatApp();
  const [ratna, budi] = [buildAdmin(test), buildTestUser(test)];
  await send(budi, ratna, 'halo');
  for (const query of [
    'before=x',
    'before=-1',
    'before=999999999999999',
    'limit=0',
    'limit=99999',
    'user_id=%00',
    'q=a&q=b',
    'user_id=a&user_id=b',
  ])
    expect(
      (await test.call('GET', `/api/admin/messages/search?q=halo&${query}`, { token: ratna.token })).status,
      query,
    ).toBe(200);
});

it('cuts a snippet that has all characters whole and its first mark inside', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(), (text, at) => {
      const from = text.length === 0 ? 0 : at % text.length;
      const { snippet, marks } = cutSnippet(text, [[from, text.length]]);
      expect(snippet.isWellFormed() || !text.isWellFormed() || from > 0).toBe(true);
      expect(snippet.length).toBeLessThanOrEqual(163);
      for (const [first, end] of marks) expect(end).toBeGreaterThanOrEqual(first);
    }),
  );
});
