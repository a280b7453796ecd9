import { Menu } from '@mantine/core';
import { screen, waitFor, within } from '@testing-library/react';
import { getDefaultStore } from 'jotai';
import { beforeEach, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { readRecordDraft } from '../../drafts/record-draft.ts';
import { chatStateAtom, emptyChatState } from '../../state/chat-state.ts';
import { ShareRecordHost, ShareRecordItem } from './share-record.tsx';

let server: ReturnType<typeof fakeServer>;
const paid = buildRecord({ id: recordId(1), year: 2026, status: 'lunas', payment_date: '2026-02-01', address: 'A 1' });
const unpaid = buildRecord({ id: recordId(2), year: 2026, address: 'B 2', spt_number: '33.74.010.002' });
const overdue = buildRecord({ id: recordId(3), year: 2024, address: 'C 3', due_date: '2024-09-30' });

beforeEach(() => {
  window.localStorage.clear();
  server = fakeServer();
});

async function open(side: 'user' | 'admin' = 'user') {
  const user = side === 'admin' ? { id: 'a1', is_admin: true } : { id: 'u1' };
  signIn(user);
  getDefaultStore().set(chatStateAtom, { ...emptyChatState, currentUser: { side, id: user.id, name: 'Siti' } });
  const view = renderPage(
    <>
      <Menu>
        <Menu.Target>
          <button type="button">Lampirkan</button>
        </Menu.Target>
        <Menu.Dropdown>
          <ShareRecordItem userId="u1" />
        </Menu.Dropdown>
      </Menu>
      <textarea aria-label="Pesan" />
      <ShareRecordHost userId="u1" focusField={() => screen.getByLabelText('Pesan').focus()} />
    </>,
  );
  await view.user.click(screen.getByRole('button', { name: 'Lampirkan' }));
  await view.user.click(await screen.findByRole('menuitem', { name: 'Bagikan data PBB' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bagikan data PBB' });
  // The menu still gives the focus back when the dialog opens.
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  return { ...view, dialog: within(dialog) };
}
const rows = (items: HTMLElement[]) => items.map((row) => /PBB \d+/.exec(row.textContent)?.[0]);

it('offers the own records, what is overdue and unpaid first, and puts the chosen one into the draft', async () => {
  server.on('GET /api/tax-records', okListAnswer([paid, unpaid, overdue]));
  const { dialog, user } = await open();
  await dialog.findByText('C 3');
  expect(rows(dialog.getAllByRole('listitem'))).toEqual(['PBB 2024', 'PBB 2026', 'PBB 2026']);
  expect(dialog.queryByRole('searchbox')).toBeNull();
  expect(dialog.getAllByRole('listitem')[0]?.textContent).toContain('Menunggak sejak 30 Sep 2024');
  await user.keyboard('{ArrowDown}{Enter}');
  expect(readRecordDraft('u1', 'u1')?.id).toBe(unpaid.id);
  expect(document.activeElement).toBe(screen.getByLabelText('Pesan'));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('offers an admin the records of that user, and searches when there are many', async () => {
  const others = Array.from({ length: 60 }, (_, index) =>
    buildRecord({ address: `Jl. Lain ${index}`, spt_number: `77.${index}`, year: 2023 }),
  );
  server.on('GET /api/admin/tax-records', ({ query }) =>
    okListAnswer(query['user_id'] === 'u1' ? [unpaid, ...others] : []),
  );
  const { dialog, user } = await open('admin');
  const field = await dialog.findByRole('searchbox', { name: 'Cari data PBB' });
  expect(dialog.getByText('11 data lain ditemukan lewat pencarian')).toBeTruthy();
  await user.type(field, 'zzz');
  await dialog.findByText('Tidak ada data PBB yang cocok');
  await user.clear(field);
  // The number as people write it.
  await user.type(field, '3374 010-002{Enter}');
  expect(readRecordDraft('a1', 'u1')?.id).toBe(unpaid.id);
});

it('says that there are no records, and that they could not be loaded', async () => {
  server.on('GET /api/tax-records', failAnswer(500));
  const { dialog, user } = await open();
  await dialog.findByText('Gagal memuat data pajak');
  server.on('GET /api/tax-records', okListAnswer([]));
  await user.click(dialog.getByRole('button', { name: 'Coba lagi' }));
  await dialog.findByText('Anda belum punya data PBB');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.activeElement).toBe(screen.getByLabelText('Pesan'));
  expect(readRecordDraft('u1', 'u1')).toBeNull();
});
