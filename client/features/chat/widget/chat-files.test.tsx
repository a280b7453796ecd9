import { act, createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { erasePrivateData } from '#client/lib/session/private-data.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket, type FakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { fakeServer, neverAnswer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { setRecordDraft } from '../drafts/record-draft.ts';
import { buildHistory } from '../testing/build-chat-data.ts';
import { buildHeic, buildPdf, buildPhoto } from '../testing/build-files.ts';
// Loaded lazily otherwise, and then within the time limits of the first test.
import './chat-panel.tsx';
import { ChatWidget } from './chat-widget.tsx';

let sockets: FakeSocket[] = [];
vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => {
    const openedSocket = fakeSocket();
    sockets.push(openedSocket);
    return openedSocket.connection;
  },
}));

let server: ReturnType<typeof fakeServer>;
const quota = { records: 0, records_max: 500, proof_bytes: 0, proof_bytes_max: 300_000_000 };

beforeEach(() => {
  sockets = [];
  vi.stubGlobal('BroadcastChannel', undefined);
  server = fakeServer();
  server.on('GET /api/auth/admin-contact', okAnswer({ id: 'a1', _id: 'a1', name: 'Ibu Ratna' }));
  server.on('GET /api/messages/conversation/a1', okAnswer(buildHistory([])));
  server.on('POST /api/messages/conversation/a1/seen', okAnswer({ user_id: 'u1', unread_count: 0 }));
  server.on('GET /api/tax-records/quota', okAnswer(quota));
  server.on('POST /api/messages/attachments', neverAnswer);
  server.on('POST /api/messages/send', neverAnswer);
  return () => closeSession();
});

async function openChat() {
  signIn();
  const view = renderPage(<ChatWidget />);
  await view.user.click(await screen.findByRole('button', { name: /Buka Live Chat/ }));
  act(() => sockets.at(-1)?.connect());
  const panel = await screen.findByRole('dialog', { name: 'Live Chat' });
  const input = within(panel).getByPlaceholderText<HTMLTextAreaElement>('Ketik pesan...');
  return { ...view, panel, input };
}

const picker = (): HTMLElement => screen.getByLabelText('Foto atau dokumen', { selector: 'input' });
const pick = (...files: File[]) => fireEvent.change(picker(), { target: { files } });
const removeButtons = () => screen.queryAllByRole('button', { name: /^Hapus / }).map((button) => button.ariaLabel);
const tray = () => screen.queryByRole('list', { name: 'Lampiran pesan ini' });
const sendButton = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Kirim' });
const messageLog = (): HTMLElement => screen.getByRole('log', { name: 'Percakapan dengan admin' });
const paste = (target: HTMLElement, files: File[], types: string[]) =>
  fireEvent.paste(target, { clipboardData: { files, types } });

it('shows picked files in their order, says what cannot be sent, and removes with the keyboard', async () => {
  const { user, input, panel } = await openChat();
  expect(sendButton().disabled).toBe(true);
  const word = new File(['PK\u{3}\u{4}'], 'surat.docx', { type: 'application/msword' });
  pick(buildPhoto('a.jpg'), word, buildHeic(), buildPdf('besar.pdf', 5_242_881));
  expect(await screen.findByText(/“besar.pdf” terlalu besar \(5,2 MB\). PDF paling besar 5 MB/)).toBeTruthy();
  const alert = screen.getByText(/“surat.docx” tidak bisa dikirim/).closest('[role="alert"]');
  expect(alert?.textContent).toContain('simpan dulu sebagai PDF');
  expect(alert?.textContent).toContain('“IMG_1.HEIC” berformat HEIC');
  expect(removeButtons()).toEqual(['Hapus a.jpg']);
  await user.click(within(panel).getByRole('button', { name: 'Tutup pemberitahuan' }));
  expect(screen.queryByText(/“surat.docx”/)).toBeNull();
  expect(document.activeElement).toBe(input);
  // The name and the type say that it is a photo; the bytes do not.
  pick(
    new File(['Catatan rapat'], 'catatan.jpg', { type: 'image/jpeg' }),
    new File(['x'], 'IMG_2.png', { type: 'image/png' }),
  );
  expect(await screen.findByText(/“catatan.jpg” tidak terbaca sebagai foto. Simpan sebagai JPG/)).toBeTruthy();
  expect(await screen.findByText(/“IMG_2.png” tidak terbaca sebagai foto/)).toBeTruthy();
  expect(removeButtons()).toEqual(['Hapus a.jpg']);

  pick(buildPdf('b.pdf'), buildPhoto('c.jpg'), buildPhoto('d.jpg'), buildPhoto('e.jpg'));
  expect(await screen.findByText(/Paling banyak 4 berkas dalam satu pesan. “e.jpg” belum dilampirkan/)).toBeTruthy();
  await waitFor(() => expect(removeButtons()).toEqual(['a.jpg', 'b.pdf', 'c.jpg', 'd.jpg'].map((n) => `Hapus ${n}`)));
  expect(screen.getByText('d.jpg dilampirkan. 4 dari 4 berkas.')).toBeInstanceOf(HTMLOutputElement);
  expect(screen.getByText('b.pdf').parentElement?.textContent).toBe('b.pdf2 KB');
  expect(screen.getByRole('img', { name: 'a.jpg' })).toBeTruthy();
  screen.getByRole('button', { name: 'Hapus b.pdf' }).focus();
  await user.keyboard('{Delete}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hapus c.jpg' }));
  await user.keyboard('{Enter}{Enter}{Enter}');
  expect(tray()).toBeNull();
  expect(document.activeElement).toBe(input);
});

it('sends files without a text, after they are prepared, and keeps the files of a draft', async () => {
  const first = await openChat();
  pick(buildPhoto('a.jpg'));
  await screen.findByRole('button', { name: 'Hapus a.jpg' });
  // jsdom has no database, as some private windows.
  expect(screen.getByText(/Jangan tutup atau muat ulang halaman ini/)).toBeTruthy();
  await first.user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await first.user.click(screen.getByRole('button', { name: /Buka Live Chat/ }));
  expect(await screen.findByRole('button', { name: 'Hapus a.jpg' })).toBeTruthy();

  const input = screen.getByPlaceholderText<HTMLTextAreaElement>('Ketik pesan...');
  pick(buildPdf('b.pdf'));
  fireEvent.keyDown(input, { key: 'Enter' });
  expect(tray()).not.toBeNull();
  await waitFor(() => expect(tray()).toBeNull());
  expect(await within(messageLog()).findByText(/b\.pdf/)).toBeTruthy();
  expect(sendButton().disabled).toBe(true);
});

it('sends nothing by itself when a file is refused, so that its writer reads that', async () => {
  const { input } = await openChat();
  pick(buildPdf('b.pdf'), new File(['PK\u{3}\u{4}'], 'surat.docx', { type: 'application/msword' }));
  fireEvent.keyDown(input, { key: 'Enter' });
  expect(await screen.findByText(/“surat.docx” tidak bisa dikirim/)).toBeTruthy();
  await waitFor(() => expect(sendButton().disabled).toBe(false));
  expect(removeButtons()).toEqual(['Hapus b.pdf']);
});

it('drops what was still being prepared at a sign-out, and only that', async () => {
  await openChat();
  pick(buildPhoto('rahasia.jpg'), buildPdf('rahasia.pdf'));
  act(() => erasePrivateData({ id: 'u1', email: 'u1@contoh.id' }));
  expect(tray()).toBeNull();
  // One file after the other: when this one is there, the ones before have ended.
  pick(buildPdf('b.pdf'));
  await screen.findByRole('button', { name: 'Hapus b.pdf' });
  expect(removeButtons()).toEqual(['Hapus b.pdf']);
  expect(screen.queryByText(/Menyiapkan/)).toBeNull();
});

it('says that a file of the draft is gone, and sends nothing without it', async () => {
  const gone = { id: 'g1', name: 'lama.pdf', type: 'application/pdf', bytes: 10, hasThumb: false, isKept: true };
  window.localStorage.setItem('pbb-chat-files:u1:u1', JSON.stringify([gone]));
  const { user, input } = await openChat();
  expect(await screen.findByText(/^“lama.pdf” tidak ada lagi di perangkat ini/)).toBeTruthy();
  await user.type(input, 'Halo{Enter}');
  expect(input.value).toBe('Halo');
  await user.click(screen.getByRole('button', { name: 'Hapus lama.pdf' }));
  expect(sendButton().disabled).toBe(false);
  expect(screen.queryByText(/tidak ada lagi/)).toBeNull();
});

it('takes pasted pictures, and offers those that come with text', async () => {
  const { user, input } = await openChat();
  const picture = new File([buildPhoto()], 'image.png', { type: 'image/png' });
  expect(paste(input, [picture], ['Files'])).toBe(false);
  await screen.findByRole('button', { name: /^Hapus gambar tempel/ });
  expect(paste(input, [buildPhoto('sel.jpg')], ['text/plain', 'Files'])).toBe(true);
  expect(removeButtons()).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Lampirkan gambarnya' }));
  expect(await screen.findByRole('button', { name: 'Hapus sel.jpg' })).toBeTruthy();
  expect(screen.queryByText('Yang ditempel juga berisi gambar.')).toBeNull();
});

it('takes files that are dropped anywhere on the conversation, and none elsewhere', async () => {
  const { panel } = await openChat();
  const drag = (kind: 'dragOver' | 'dragLeave' | 'drop', target: Element, relatedTarget: Element | null = null) => {
    const event = createEvent[kind](target, { dataTransfer: { files: [buildPhoto()], types: ['Files'] } });
    // jsdom has no drag events, so nothing else sets it.
    Object.defineProperty(event, 'relatedTarget', { value: relatedTarget });
    act(() => void fireEvent(target, event));
    return event;
  };
  const target = () => panel.querySelector('[data-drop-target]');
  drag('dragOver', messageLog());
  expect(target()?.textContent).toBe('Lepaskan berkas untuk melampirkan');
  drag('dragLeave', messageLog(), panel);
  expect(target()).not.toBeNull();
  drag('dragLeave', panel, document.body);
  expect(target()).toBeNull();
  drag('dragOver', messageLog());
  expect(drag('drop', messageLog()).defaultPrevented).toBe(true);
  expect(target()).toBeNull();
  await screen.findByRole('button', { name: 'Hapus bukti.jpg' });
  // It does not replace the page either.
  expect(drag('drop', document.body).defaultPrevented).toBe(true);
  expect(removeButtons()).toHaveLength(1);
});

it('says before the upload that there is no room, and counts the words for what is attached', async () => {
  const { user, input } = await openChat();
  server.on('GET /api/tax-records/quota', okAnswer({ ...quota, proof_bytes: 299_900_000 }));
  const card = { name: 'Siti Aminah', address: 'Jl. Melati 1', property_type: null, spt_number: '32.76' };
  const rest = {
    amount_source: 'typed',
    due_date: null,
    payment_date: null,
    updated_at: '2026-08-01T00:00:00.000Z',
  } as const;
  act(() => setRecordDraft('u1', { id: 'r1', ...card, year: 2026, amount: 45_000, status: 'belum_lunas', ...rest }));
  expect(tray()?.textContent).toMatch(/^Data PBB 2026 · Siti Aminah32.76 · Rp\s45.000 · Belum Lunas$/);
  expect(sendButton().disabled).toBe(false);
  pick(buildPdf('struk.pdf', 400_000));
  expect(await screen.findByText(/^Sisa ruang berkas Anda 0 MB, lampiran ini 0,4 MB/)).toBeTruthy();
  // 'Dokumen: struk.pdf' and the line for the record stand below the text.
  const words = '\nDokumen: struk.pdf\nPBB 2026 · 32.76 · Rp 45.000 · Belum Lunas'.length;
  fireEvent.change(input, { target: { value: 'a'.repeat(2001 - words) } });
  expect(screen.getByText('Pesan maksimal 2000 karakter (2001)')).toBeTruthy();
  expect(sendButton().disabled).toBe(true);
  fireEvent.change(input, { target: { value: 'a'.repeat(2000 - words) } });
  expect(screen.getByText('2000 dari 2000 karakter')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Batal membagikan data PBB 2026' }));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Hapus struk.pdf' }));
});
