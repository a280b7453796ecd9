import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { failAnswer, okAnswer } from '#client/testing/fake-server.ts';
import { buildMessage } from '../../testing/build-chat-data.ts';
import { buildPdf, buildPhoto } from '../../testing/build-files.ts';
import { buildUserSummary, messageField, renderInbox } from '../testing/render-inbox.tsx';

const SEND = 'POST /api/messages/send';
const question = buildMessage({
  number: 11,
  user_id: 'u1',
  sender_id: 'u1',
  sender_name: 'Warga u1',
  from_admin: false,
  content: 'Bisa lewat surat?',
});

async function openInbox(path = '/admin/chat?user=u1') {
  const inbox = await renderInbox({
    rows: [buildUserSummary('u1', 11), buildUserSummary('u2', 10)],
    initialPath: path,
    histories: { u1: [question] },
  });
  inbox.server.on('GET /api/admin/quick-replies', okAnswer([]));
  inbox.server.on('POST /api/messages/attachments', ({ body }) => {
    const { name, type, size } = (body as { file: File }).file;
    const links = { url: `/uploads/${name}`, thumb_url: null, width: null, height: null };
    return okAnswer({ id: `di-server-${name}`, name, type, size, ...links });
  });
  await screen.findByText(question.content);
  return inbox;
}

const conversationWith = (name: string) => screen.getByRole('region', { name: `Percakapan dengan ${name}` });
const removeButtons = (box: HTMLElement = document.body) =>
  within(box)
    .queryAllByRole('button', { name: /^Hapus .*\.(jpg|pdf)$/ })
    .map((button) => button.ariaLabel);
function drop(target: Element, ...files: File[]): void {
  const event = createEvent.drop(target, { dataTransfer: { files, types: ['Files'] } });
  act(() => void fireEvent(target, event));
}

beforeEach(() => {
  window.localStorage.clear();
});

it('keeps the files of a note until the admin moves them into the answer', async () => {
  await openInbox();
  await userEvent.keyboard('{Alt>}[KeyN]{/Alt}');
  drop(screen.getByRole('log'), buildPhoto(), buildPdf());
  expect(screen.queryByRole('button', { name: 'Lampirkan' })).toBeNull();
  const offer = screen.getByText('Catatan hanya berisi teks. 2 berkas ini bisa dikirim ke warga lewat Balas.');
  expect(offer.closest('[role="alert"]')).not.toBeNull();
  expect(removeButtons()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Lampirkan di Balas' }));
  await waitFor(() => expect(removeButtons()).toEqual(['Hapus bukti.jpg', 'Hapus surat.pdf']));
  expect(document.activeElement).toBe(messageField());
  await userEvent.keyboard('{Alt>}[KeyN]{/Alt}');
  expect(removeButtons()).toEqual([]);
  expect(screen.getByText('(draf)')).toBeTruthy();
});

it('takes what is dropped into the column on which it is dropped', async () => {
  await openInbox('/admin/chat?user=u1&beside=u2');
  const [first, second] = [conversationWith('Warga u1'), conversationWith('Warga u2')];
  drop(within(second).getByRole('log'), buildPdf('dua.pdf'));
  await waitFor(() => expect(removeButtons(second)).toEqual(['Hapus dua.pdf']));
  drop(within(first).getByRole('log'), buildPdf('satu.pdf'));
  await waitFor(() => expect(removeButtons(first)).toEqual(['Hapus satu.pdf']));
  expect(removeButtons(second)).toEqual(['Hapus dua.pdf']);
});

it('sends files with a quote by Kirim & lanjut, and brings them back by Ubah', async () => {
  const { server, router } = await openInbox();
  server.on(SEND, failAnswer(409, 'Pak Joko sudah membalas. Baca dulu sebelum mengirim.'));
  await userEvent.click(screen.getByRole('button', { name: 'Kutip pesan Warga u1' }));
  await userEvent.keyboard('Ini suratnya');
  fireEvent.paste(messageField(), { clipboardData: { files: [buildPdf()], types: ['Files'] } });
  await waitFor(() => expect(removeButtons()).toEqual(['Hapus surat.pdf']));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  expect(removeButtons()).toEqual([]);
  await waitFor(() => expect(router.state.location.search).toBe('?user=u2'));
  await waitFor(() =>
    expect(server.callsOf(SEND)[0]?.body).toMatchObject({
      content: 'Ini suratnya\nDokumen: surat.pdf',
      attachment_ids: ['di-server-surat.pdf'],
      reply_to: '11',
    }),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Lihat' }));
  fireEvent.change(messageField(), { target: { value: 'dan ini' } });
  await userEvent.click(await screen.findByRole('button', { name: 'Ubah' }));
  expect(messageField().value).toBe('Ini suratnya\ndan ini');
  expect(removeButtons()).toEqual(['Hapus surat.pdf']);
  expect(screen.getByRole('region', { name: 'Pesan yang dikutip' })).toBeTruthy();
});
