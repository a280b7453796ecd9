import { expect, it } from 'vitest';
import { fakeServer } from '#client/testing/fake-server.ts';
import { buildMessage, buildSummary } from '../../testing/build-chat-data.ts';
import { nextWaiting } from './next-waiting.ts';

const sari = { id: 'a2', name: 'Sari' };
const row = (userId: string, claimed_by: { id: string; name: string } | null = null) =>
  buildSummary(userId, buildMessage({ number: 1, user_id: userId, from_admin: false }), {
    state: 'waiting',
    claimed_by,
  });

function serve(...rows: ReturnType<typeof row>[]) {
  const server = fakeServer();
  server.on('GET /api/messages/conversations', {
    status: 200,
    body: { success: true, message: 'Daftar', data: rows, total: rows.length, total_unread: 0 },
  });
}

it('takes the longest wait that no colleague handles or looks at', async () => {
  serve(row('own'), row('claimed', sari), row('looked'), row('free'), row('later'));
  expect(await nextWaiting('a1', 'own', (id) => id === 'looked')).toBe('free');
});

it('takes one that a colleague looks at before none, and an own one although a colleague looks at it', async () => {
  serve(row('claimed', sari), row('looked'));
  expect(await nextWaiting('a1', null, () => true)).toBe('looked');
  serve(row('looked'), row('mine', { id: 'a1', name: 'Ratna' }));
  expect(await nextWaiting('a1', null, () => true)).toBe('mine');
  serve(row('claimed', sari));
  expect(await nextWaiting('a1')).toBeNull();
});
