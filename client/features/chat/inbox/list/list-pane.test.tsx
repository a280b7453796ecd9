import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { buildSummary } from '../../testing/build-chat-data.ts';
import { buildUserSummary, listPane, renderInbox, rowOf } from '../testing/render-inbox.tsx';

vi.mock('#client/realtime/socket.ts', async () => {
  const { currentConnection } = await import('../testing/current-connection.ts');
  return { openRealtimeConnection: () => currentConnection.current };
});

const me = { id: 'a1', name: 'Ibu Ratna' };
const sari = { id: 'a2', name: 'Sari Wulandari' };
const rows = [
  buildUserSummary('u3', 30, { claimed_by: sari, note_count: 2 }),
  buildUserSummary('u2', 20, { claimed_by: me }),
  buildUserSummary('u1', 10, { state: 'snoozed', snoozed_until: '2099-02-02T01:00:00.000Z' }),
];
const bar = () => screen.queryByRole('region', { name: 'Percakapan yang dipilih' });
const checked = () =>
  listPane()
    .getAllByRole('checkbox', { checked: true })
    .map(({ dataset }) => dataset['userId']);

it('says in each row who handles it, until when it is snoozed, how many notes it has, and who looks or writes', async () => {
  const { push } = await renderInbox({ rows });
  const row = await rowOf('Warga u3');
  // The whole name, because two colleagues may share a given name; and the e-mail also beside it.
  expect(row.textContent).toContain('Sari Wulandari menangani');
  expect(row.textContent).toContain(rows[0]?.other_user.email);
  expect(row.textContent).toContain('2 catatan');
  expect(row.textContent).toContain('Menunggu balasan');
  expect((await rowOf('Warga u2')).textContent).toContain('Anda menangani');
  const snoozed = await rowOf('Warga u1');
  expect(snoozed.textContent).toContain('ditunda s.d. 2 Feb 2099 08.00');
  expect(snoozed.textContent).not.toContain('Menunggu balasan');
  push('viewing', { user_id: 'u3', viewers: [me, sari] });
  expect(row.textContent).toContain('Sari Wulandari sedang melihat');
  expect(row.textContent).not.toContain('Ibu Ratna sedang melihat');
  push('typing', { user_id: 'u3', sender_id: 'a2', name: 'Sari Wulandari', typing: true });
  expect(row.textContent).toContain('Sari Wulandari sedang menulis');
  push('conversation:state', {
    user_id: 'u3',
    state: 'waiting',
    claimed_by: null,
    snoozed_until: null,
    unanswered_since: new Date().toISOString(),
  });
  expect(row.textContent).not.toContain('menangani');
});

it('shows the number of each filter, and a text for an empty one', async () => {
  const { user } = await renderInbox({
    rows: [buildSummary('u1', null)],
    counts: { waiting: 4, unread: 2, snoozed: 3, mine: 1 },
  });
  await rowOf('Warga u1');
  expect(
    listPane()
      .getAllByRole('radio')
      .map((radio) => radio.closest('label')?.textContent),
  ).toEqual(['Semua', 'Belum dibalas4', 'Belum dibaca2', 'Ditunda3', 'Saya1']);
  await user.click(screen.getByRole('radio', { name: 'Belum dibalas (4)' }));
  expect(await screen.findByText('Tidak ada yang menunggu. Bagus!')).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Ditunda (3)' }));
  expect(await screen.findByText('Tidak ada yang ditunda')).toBeTruthy();
});

it('selects rows by Ctrl and Shift, by keyboard and by a long press, and ends the selection with Escape', async () => {
  const { user, router } = await renderInbox({ rows });
  await user.keyboard('{Control>}');
  await user.click(await rowOf('Warga u3'));
  await user.keyboard('{/Control}');
  expect(bar()?.textContent).toContain('1 dipilih');
  const boxOf = (name: string) => listPane().getByRole('checkbox', { name: new RegExp(name) });
  await user.keyboard('{Shift>}');
  await user.click(boxOf('Warga u1'));
  await user.keyboard('{/Shift}');
  expect(checked()).toEqual(['u3', 'u2', 'u1']);
  // A press selects now, and opens nothing.
  await user.click(boxOf('Warga u2'));
  expect(checked()).toEqual(['u3', 'u1']);
  boxOf('Warga u2').focus();
  await user.keyboard('x');
  expect(checked()).toEqual(['u3', 'u2', 'u1']);
  expect(router.state.location.search).toBe('');
  await user.keyboard('{Escape}');
  expect(bar()).toBeNull();
  vi.useFakeTimers();
  const row = listPane().getByRole('link', { name: /Warga u2/ });
  fireEvent.pointerDown(row, { pointerType: 'touch', clientX: 5, clientY: 5 });
  await act(() => vi.advanceTimersByTimeAsync(600));
  fireEvent.click(row, { detail: 1, clientX: 5, clientY: 5 });
  expect(checked()).toEqual(['u2']);
  vi.useRealTimers();
});

it('opens the menu of a row with the right button, with what can be done there', async () => {
  // On a Sunday tomorrow is Monday.
  vi.setSystemTime('2026-11-18T08:00:00+07:00');
  const { user } = await renderInbox({ rows });
  await user.pointer({ keys: '[MouseRight]', target: await rowOf('Warga u3') });
  const menu = within(await screen.findByRole('menu'));
  expect(
    menu
      .getAllByRole('menuitem')
      .map(({ textContent }) => textContent?.replace(/(?:s\.d\.|(?:Sen|Sel|Rab|Kam|Jum|Sab|Min),) .*$/, '')),
  ).toEqual([
    'Ambil alih dari Sari Wulandari',
    'Tidak perlu dibalas',
    'Pilih',
    '1 jam',
    'Besok 08.00',
    'Senin 08.00',
    'Pilih waktu…',
    'Buka di samping',
    'Buka di tab baru',
    'Buka data warga',
  ]);
  expect(menu.getByRole('menuitem', { name: 'Buka data warga' }).getAttribute('href')).toBe('/admin/users/u3');
});
