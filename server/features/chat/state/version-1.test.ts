import { expect, it } from 'vitest';
import { migrate } from '#server/db/migrations/migrate.ts';
import { openVersion1Database } from '#server/testing/version-1-database.ts';
import { openDatabase } from '#server/db/sqlite/open.ts';
import { buildSession } from '#server/testing/factories.ts';
import { buildInboxApp } from '#server/testing/chat/inbox-app.ts';
import { testResources } from '#server/testing/open-test-database.ts';

const moreRows = `
  insert into users (id, name, email, password_hash, is_admin, created_at, updated_at) values
    ('a1', 'Ibu Ratna', 'ratna@kantor.id', 'hash', 1, 1, 1),
    ('u2', 'Budi', 'budi@contoh.id', 'hash', 0, 1, 1), ('u3', 'Andi', 'andi@contoh.id', 'hash', 0, 1, 1);
  insert into messages (id, user_id, sender_id, sender_name, from_admin, content, client_id, prev_id, side_ordinal, created_at)
    values (8, 'u2', 'u2', 'Budi', 0, 'Pagi', null, null, 1, 1000), (9, 'u2', 'u2', 'Budi', 0, 'Halo?', null, 8, 2, 2000),
      (10, 'u3', 'u3', 'Andi', 0, 'Pagi', null, null, 1, 3000), (11, 'u3', 'a1', 'Ibu Ratna', 1, 'Pagi juga', 'c2', 10, 1, 4000);
  update conversations set last_message_id = 9, user_ordinal = 2, unanswered_since = 1000 where user_id = 'u2';
  update conversations set last_message_id = 11, user_ordinal = 1, admin_ordinal = 1, admin_read_ordinal = 1 where user_id = 'u3';
`;

async function buildUpgradedApp() {
  const sqlite = openVersion1Database();
  sqlite.exec(moreRows);
  migrate(sqlite, testResources, () => {});
  const database = openDatabase(':memory:', sqlite);
  const app = await buildInboxApp({ database });
  const signIn = (id: string) => ({ id, ...buildSession(app.test, id) });
  return { ...app, ratna: signIn('a1'), budi: signIn('u2') };
}

it('knows after an update from version 1.0.0 who waits, and since when, without claims or snoozes', async () => {
  const { test, ratna, budi, claim, dismiss, undoDismiss } = await buildUpgradedApp();
  const read = async () => (await test.call('GET', '/api/messages/conversations', { token: ratna.token })).body;
  const { data, counts } = await read();
  const nothing = { claimed_by: null, snoozed_until: null, note_count: 0 };
  expect(data).toMatchObject([
    { other_user: { id: 'u3' }, state: 'done', unanswered_since: null, ...nothing },
    { other_user: { id: 'u2' }, state: 'waiting', unanswered_since: '1970-01-01T00:00:01.000Z', ...nothing },
    { other_user: { id: 'u1' }, state: 'waiting', unanswered_since: '1970-01-01T00:00:00.001Z', ...nothing },
  ]);
  expect(counts).toEqual({ waiting: 2, unread: 2, snoozed: 0, mine: 0 });
  expect((await claim(ratna, budi)).body.data).toMatchObject({ state: 'waiting', claimed_by: { id: 'a1' } });
  expect((await dismiss(ratna, budi, { up_to: '9' })).body.data).toMatchObject({ state: 'done' });
  expect((await undoDismiss(ratna, budi)).body.data).toMatchObject({ unanswered_since: '1970-01-01T00:00:01.000Z' });
});

it('leaves a client that knows nothing of states as it was', async () => {
  const { test, ratna, budi, post } = await buildUpgradedApp();
  const get = async (token: string, path: string) => (await test.call('GET', `/api/messages/${path}`, { token })).body;
  const own = await get(budi.token, 'conversations');
  expect(own.data).toEqual([
    {
      other_user: { _id: 'a1', id: 'a1', name: 'Ibu Ratna', email: '', has_email: true, is_active: true },
      unread_count: 0,
      last_message: expect.objectContaining({ _id: '9', content: 'Halo?', from_admin: false }),
      unanswered_since: '1970-01-01T00:00:01.000Z',
    },
  ]);
  expect(await get(ratna.token, 'conversations?unanswered=1&sort=waiting')).toMatchObject({
    data: [{ other_user: { id: 'u1' } }, { other_user: { id: 'u2' } }],
    total: 2,
  });
  expect((await get(ratna.token, 'conversation/u3')).data).toMatchObject({
    messages: [
      { _id: '10', content: 'Pagi', prev_id: null, reply_to: null, quoted: null },
      { _id: '11', client_id: 'c2', prev_id: '10', from_admin: true },
    ],
    has_more: false,
  });
  // An old client sends neither seen_id nor reply_to; a repeat of before the update is still the same message.
  const repeat = await post(ratna, { to_user_id: 'u3', content: 'Pagi juga', client_id: 'c2' });
  expect([repeat.status, repeat.body.data]).toMatchObject([200, { _id: '11' }]);
  expect((await post(ratna, { to_user_id: budi.id, content: 'Ya' })).status).toBe(201);
});
