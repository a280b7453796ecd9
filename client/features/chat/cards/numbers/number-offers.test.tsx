import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { NumberOffers } from './number-offers.tsx';

vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => fakeSocket().connection,
}));

it('offers the card of a record that a message names, with its years, and loads the records once', async () => {
  signIn();
  const server = fakeServer();
  const number = { spt_number: '33.74.010.002', address: 'Jl. Melati 1' };
  const records = [
    buildRecord({ ...number, id: recordId(1), year: 2026, status: 'lunas', payment_date: '2026-01-02' }),
    buildRecord({ ...number, id: recordId(2), year: 2025 }),
  ];
  server.on('GET /api/tax-records', okListAnswer(records));
  for (const record of records) server.on(`GET /api/tax-records/${record.id}`, okAnswer(record));
  const { user } = renderPage(
    <>
      <NumberOffers text="NOP 3374010002 belum?" userId="u1" shownRecordId={null} />
      <NumberOffers text="Milik orang lain: 33.74.010.999" userId="u1" shownRecordId={null} />
      <NumberOffers text="33.74.010.002" userId="u1" shownRecordId={recordId(1)} />
      <NumberOffers text="Rp 1.500.000" userId="u1" shownRecordId={null} />
    </>,
  );
  await user.click(await screen.findByRole('button', { name: 'Lihat data PBB 2025 · SPT 33.74.010.002' }));
  expect(screen.queryByRole('button', { name: /^Lihat/ })).toBeNull();
  expect(within(screen.getByRole('region', { name: 'Data PBB 2025' })).getByText('Belum Lunas')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Tahun 2026' }));
  expect(within(screen.getByRole('region', { name: 'Data PBB 2026' })).getByText('Lunas')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Tutup data PBB 2026' }));
  expect(screen.getAllByRole('button', { name: /^Lihat/ })).toHaveLength(1);
  expect(server.callsOf('GET /api/tax-records')).toHaveLength(1);
});
