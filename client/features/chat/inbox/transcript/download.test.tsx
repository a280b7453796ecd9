import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { installFakeWorker } from '#client/exports/testing/fake-worker.ts';
import { readPdfPages } from '#client/exports/testing/pdf-text.ts';
import { today } from '#client/lib/format.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Message } from '#shared/api/chat/chat.ts';
import { buildAttachment, buildMessage } from '../../testing/build-chat-data.ts';
import { DownloadConversation } from './download-conversation.tsx';

const TRANSCRIPT = 'GET /api/admin/conversations/u1/transcript';

let server: ReturnType<typeof fakeServer>;
let saved: { name: string; file: Blob }[];
beforeEach(() => {
  saved = [];
  installFakeWorker();
  signIn({ id: 'a1', name: 'Ratna Dewi', is_admin: true });
  server = fakeServer();
  let file = new Blob();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    file = blob as Blob;
    return 'blob:test';
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push({ name: this.download, file });
  });
});

const atJakarta = (day: number, time: string) => ({ createdAt: `2026-06-${day}T${time}:00.000Z` });
const quoted = { _id: '1', sender_id: 'u1', sender_name: 'Siti', from_admin: false, excerpt: 'Berapa tagihan saya?' };
const messages: Message[] = [
  buildMessage({
    number: 1,
    from_admin: false,
    sender_name: 'Siti',
    content: 'Berapa tagihan saya?',
    ...atJakarta(10, '16:59'),
  }),
  // Midnight in Jakarta is 17.00 UTC.
  buildMessage({ number: 2, content: 'Rp 500.000', quoted, reply_to: '1', ...atJakarta(10, '17:01') }),
  buildMessage({ number: 3, content: 'Foto: bukti.jpg', attachments: [buildAttachment()], ...atJakarta(10, '17:02') }),
  buildMessage({
    number: 4,
    content: 'Bukti PBB 2026 · SPT 351518001200100340',
    kind: 'notice',
    ...atJakarta(10, '17:03'),
  }),
];
const transcript = { user: { id: 'u1', name: 'Siti Aminah', email: 'siti@contoh.id' }, messages, omitted: 0 };

function open(omitted = 0) {
  server.on(TRANSCRIPT, okAnswer({ ...transcript, omitted }));
  const onClose = vi.fn<() => void>();
  return { ...renderPage(<DownloadConversation userId="u1" name="Siti Aminah" opened onClose={onClose} />), onClose };
}

it('saves a PDF with letterhead, period, days, names, times, quotes and page numbers', async () => {
  const { user, onClose } = open(7);
  const dialog = within(await screen.findByRole('dialog', { name: 'Unduh percakapan dengan Siti Aminah' }));
  expect(dialog.getByText('Catatan internal tidak pernah ikut.')).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Unduh PDF' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toBe(`percakapan_siti-aminah_${today()}.pdf`);
  const [page = ''] = await readPdfPages(saved[0]?.file as Blob);
  for (const text of [
    'PBB Kita',
    'Siti Aminah (siti@contoh.id)',
    'Semua pesan',
    '7 pesan terlama, karena terlalu banyak',
    'Ratna Dewi',
    'Rabu, 10 Juni 2026',
    '23.59',
    'Kamis, 11 Juni 2026',
    '00.01',
    'Ibu Ratna (admin)',
    'Rp 500.000',
    'Halaman 1 dari 1',
  ])
    expect(page).toContain(text);
  expect(page.match(/Berapa tagihan saya\?/g)).toHaveLength(2);
  expect(server.callsOf(TRANSCRIPT).map(({ query }) => query)).toEqual([{}]);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

it('prints the days that were chosen, instead of the page', async () => {
  const print = vi.fn<() => void>();
  vi.stubGlobal('print', print);
  const { user, onClose } = open();
  await user.click(await screen.findByRole('radio', { name: 'Pilih tanggal' }));
  await user.click(screen.getByRole('button', { name: 'Cetak' }));
  expect(await screen.findByText('Isi paling sedikit satu tanggal')).toBeTruthy();
  await user.type(screen.getByRole('textbox', { name: 'Dari tanggal' }), '11/06/2026');
  await user.type(screen.getByRole('textbox', { name: 'Sampai tanggal' }), '10/06/2026');
  await user.click(screen.getByRole('button', { name: 'Cetak' }));
  expect(await screen.findByText('Tanggal awal tidak boleh setelah tanggal akhir')).toBeTruthy();
  expect(server.callsOf(TRANSCRIPT)).toEqual([]);
  await user.clear(screen.getByRole('textbox', { name: 'Dari tanggal' }));
  await user.type(screen.getByRole('textbox', { name: 'Dari tanggal' }), '10/06/2026');
  await user.click(screen.getByRole('button', { name: 'Cetak' }));
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
  expect(onClose).toHaveBeenCalledTimes(1);
  expect(server.callsOf(TRANSCRIPT).map(({ query }) => query)).toEqual([{ from: '2026-06-10', to: '2026-06-10' }]);
  expect(document.body.hasAttribute('data-print-sheet')).toBe(true);
  const sheet = screen.getByTestId('transcript-sheet');
  expect(
    within(sheet)
      .getAllByRole('row', { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual([
    'PukulDariPesan',
    '23.59SitiBerapa tagihan saya?',
    'PukulDariPesan',
    '00.01Ibu Ratna (admin)Membalas Siti: “Berapa tagihan saya?”\nRp 500.000',
    '00.02Ibu Ratna (admin)Foto: bukti.jpg',
    '00.03Ibu Ratna (admin)Pemberitahuan: Bukti PBB 2026 · SPT 35.15.180.012.001-0034.0',
  ]);
  await user.keyboard('a');
  expect(document.body.hasAttribute('data-print-sheet')).toBe(false);
});
