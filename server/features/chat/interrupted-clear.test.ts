import { expect, it } from 'vitest';
import { buildChatApp } from '#server/testing/chat/chat-app.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';

it('finishes at the start the deletions of histories that a crash interrupted, and empties nothing else', async () => {
  const { test, send, clear } = await buildChatApp();
  const admin = buildAdmin(test);
  const [halfEmptied, untouched, cleared, kept] = [1, 2, 3, 4].map(() => buildTestUser(test));
  if (!halfEmptied || !untouched || !cleared || !kept) throw new Error('four users');
  for (const user of [halfEmptied, untouched, cleared, kept]) {
    for (let n = 0; n < 4; n += 1) await send(user, admin, `pesan ${n}`);
  }
  const { sqlite } = test.database;
  // As a kill leaves it after the commit that hides the history: no message was emptied, or the first ones were.
  const hide = sqlite.prepare(
    'update conversations set cleared_id = last_message_id, cleared_count = user_ordinal, last_message_id = 0 where user_id = ?',
  );
  for (const user of [halfEmptied, untouched]) hide.run(user.id);
  sqlite
    .prepare(
      "update messages set content = '' where id in (select id from messages where user_id = ? order by id limit 2)",
    )
    .run(halfEmptied.id);
  await clear(admin, cleared.id);
  for (const user of [halfEmptied, cleared]) await send(user, admin, 'sesudahnya');

  await test.server.listen({ host: '127.0.0.1', port: 0 });
  const textsOf = sqlite
    .prepare("select content from messages where user_id = ? and content <> '' order by id")
    .pluck();
  await expect.poll(() => textsOf.all(untouched.id)).toEqual([]);
  await expect.poll(() => textsOf.all(halfEmptied.id)).toEqual(['sesudahnya']);
  expect(textsOf.all(cleared.id)).toEqual(['sesudahnya']);
  expect(textsOf.all(kept.id)).toEqual(['pesan 0', 'pesan 1', 'pesan 2', 'pesan 3']);
});
