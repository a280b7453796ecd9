import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { failAnswer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { buildMessage } from '../../testing/build-chat-data.ts';
import { buildUserSummary, renderInbox, rowOf } from '../testing/render-inbox.tsx';
import { type ConversationActions, useConversationActions } from './use-conversation-actions.ts';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('../testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

let actions: ConversationActions;
function ActionsProbe() {
  const current = useConversationActions();
  Object.assign((actions ??= current), current);
  return null;
}

const me = { id: 'a1', name: 'Ibu Ratna' };
const sari = { id: 'a2', name: 'Sari' };
const later = '2099-01-05T01:00:00.000Z';
const path = (userId: string, call: string) => `/api/admin/conversations/${userId}/${call}`;

/** The inbox with three waiting users; `change` gives what a call makes of a conversation. */
async function renderActions(fields: Record<string, Partial<ConversationSummary>> = {}) {
  const rows = ['u1', 'u2', 'u3'].map((id, index) => buildUserSummary(id, 10 + index, fields[id] ?? {}));
  const inbox = await renderInbox({ rows, extra: <ActionsProbe /> });
  await rowOf('Warga u1');
  const stateOf = (userId: string, change: Partial<ConversationSummary> = {}) => {
    const row = rows.find(({ other_user }) => other_user._id === userId) as ConversationSummary;
    const { state = 'waiting', claimed_by = null, snoozed_until = null, unanswered_since } = { ...row, ...change };
    return okAnswer({ user_id: userId, state, claimed_by, snoozed_until, unanswered_since });
  };
  const calls = () =>
    inbox.server.calls
      .filter(({ path: called }) => called.startsWith('/api/admin/conversations/'))
      .map(({ method, path: called, body }) => [method, called.replace('/api/admin/conversations/', ''), body]);
  const undo = async () => inbox.user.click(await screen.findByRole('button', { name: 'Urungkan (Undo)' }));
  return { ...inbox, stateOf, calls, undo };
}

it('claims several conversations, names the one that a colleague handles, and releases only the others on undo', async () => {
  const { server, stateOf, calls, undo } = await renderActions();
  server.on(`POST ${path('u1', 'claim')}`, stateOf('u1', { claimed_by: me }));
  server.on(`POST ${path('u2', 'claim')}`, failAnswer(409, 'Sedang ditangani Sari'));
  server.on(`POST ${path('u3', 'claim')}`, stateOf('u3', { claimed_by: me }));
  for (const id of ['u1', 'u3']) server.on(`POST ${path(id, 'release')}`, stateOf(id));
  const result = await act(() => actions.claim(['u1', 'u2', 'u3']));
  expect(result).toEqual({ doneIds: ['u1', 'u3'], unchangedIds: ['u2'] });
  expect(await screen.findByText('2 percakapan diambil, 1 sedang ditangani Sari (Warga u2)')).toBeTruthy();
  await undo();
  await waitFor(() =>
    expect(
      calls()
        .slice(3)
        .map(([, called]) => called),
    ).toEqual(['u1/release', 'u3/release']),
  );
  expect(await screen.findByText('Dikembalikan seperti semula')).toBeTruthy();
});

it('brings back the wait and the own claim of a dismissed conversation', async () => {
  const { server, stateOf, calls, undo } = await renderActions({ u2: { claimed_by: me } });
  server.on(
    `POST ${path('u2', 'dismiss')}`,
    stateOf('u2', { state: 'done', unanswered_since: null, claimed_by: null }),
  );
  server.on(`DELETE ${path('u2', 'dismiss')}`, stateOf('u2', { claimed_by: null }));
  server.on(`POST ${path('u2', 'claim')}`, stateOf('u2'));
  await act(() => actions.dismiss('u2'));
  expect(await screen.findByText('Percakapan dengan Warga u2 ditandai tidak perlu dibalas')).toBeTruthy();
  await undo();
  await waitFor(() =>
    expect(calls()).toEqual([
      ['POST', 'u2/dismiss', { up_to: '11' }],
      ['DELETE', 'u2/dismiss', undefined],
      ['POST', 'u2/claim', { take: false }],
    ]),
  );
});

it('brings back the earlier time of a snooze', async () => {
  const { server, stateOf, calls, undo } = await renderActions({ u1: { state: 'snoozed', snoozed_until: later } });
  server.on(`POST ${path('u1', 'snooze')}`, ({ body }) =>
    stateOf('u1', { snoozed_until: (body as { until: string }).until }),
  );
  const next = '2099-02-02T01:00:00.000Z';
  await act(() => actions.snooze('u1', next));
  expect(await screen.findByText(/Percakapan dengan Warga u1 ditunda s\.d\. 2 Feb 2099/)).toBeTruthy();
  await undo();
  await waitFor(() =>
    expect(calls()).toEqual([
      ['POST', 'u1/snooze', { until: next, up_to: '10' }],
      ['POST', 'u1/snooze', { until: later, up_to: '10' }],
    ]),
  );
});

it('calls nothing where nothing is to be done, and names each conversation that could not be changed', async () => {
  const { server, calls, stateOf } = await renderActions({ u1: { claimed_by: me }, u2: { claimed_by: sari } });
  server.on(`POST ${path('u2', 'claim')}`, failAnswer(409, 'Sedang ditangani Sari'));
  server.on(`POST ${path('u3', 'claim')}`, networkError);
  await act(() => actions.claim(['u1', 'u2', 'u3']));
  const text = '1 sudah Anda tangani (Warga u1), 1 sedang ditangani Sari (Warga u2), 1 gagal diubah (Warga u3)';
  expect(await screen.findByText(text)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Urungkan (Undo)' })).toBeNull();
  expect(calls()).toHaveLength(2);
  server.on(`POST ${path('u2', 'claim')}`, stateOf('u2', { claimed_by: me }));
  await act(() => actions.take('u2'));
  expect(await screen.findByText('Percakapan dengan Warga u2 diambil alih')).toBeTruthy();
  expect(calls().at(-1)).toEqual(['POST', 'u2/claim', { take: true }]);
});

it('dismisses no message that comes while other conversations are dismissed', async () => {
  const userIds = ['u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7', 'u8'];
  const rows = userIds.map((id, index) => buildUserSummary(id, 10 + index));
  const { server, push } = await renderInbox({ rows, extra: <ActionsProbe /> });
  await rowOf('Warga u8');
  const done = { state: 'done', claimed_by: null, snoozed_until: null, unanswered_since: null };
  for (const user_id of userIds) server.on(`POST ${path(user_id, 'dismiss')}`, okAnswer({ user_id, ...done }));
  server.on(`POST ${path('u1', 'dismiss')}`, () => {
    push('message:new', buildMessage({ number: 99, user_id: 'u8', sender_id: 'u8', from_admin: false }));
    return okAnswer({ user_id: 'u1', ...done });
  });
  await act(() => actions.dismiss(userIds));
  expect(server.callsOf(`POST ${path('u8', 'dismiss')}`)[0]?.body).toEqual({ up_to: '17' });
});
