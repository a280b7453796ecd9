import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { getDefaultStore } from 'jotai';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Message } from '#shared/api/chat/chat.ts';
import { closeSession } from '#client/lib/session/session.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { type fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage } from '#client/testing/render.tsx';
import {
  buildUserSummary,
  conversationPane,
  listPane,
  messageField,
  renderInbox,
  rowOf,
} from '../inbox/testing/render-inbox.tsx';
import { currentConnection } from '../inbox/testing/current-connection.ts';
import { chatStateAtom, emptyChatState, type InFlightMessage } from '../state/chat-state.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { buildAttachment, buildHistory, buildMessage, buildSummary } from '../testing/build-chat-data.ts';
import { MessageBubble } from './bubble/message-bubble.tsx';
import { UnsentActions } from './bubble/unsent-actions.tsx';

vi.mock('#client/realtime/socket.ts', () => ({
  openRealtimeConnection: (): RealtimeConnection => currentConnection.current as RealtimeConnection,
}));

const HISTORY = 'GET /api/messages/conversation/u1';
const fromUser = { user_id: 'u1', sender_id: 'u1', sender_name: 'Siti', from_admin: false };
const photos = [buildAttachment(), buildAttachment({ id: 'f2', name: 'rumah.jpg', thumb_url: null })];
const sppt = buildAttachment({
  id: 'f3',
  url: '/uploads/f3.pdf?e=1',
  thumb_url: null,
  name: 'sppt.pdf',
  type: 'application/pdf',
  size: 1_234_567,
  width: null,
  height: null,
});
const withFiles = buildMessage({
  number: 11,
  ...fromUser,
  content: 'Ini buktinya\nFoto: bukti.jpg\nFoto: rumah.jpg\nDokumen: sppt.pdf',
  attachments: [...photos, sppt],
});
const fields = {
  name: 'Siti Aminah',
  address: 'Jl. Melati 5, Kel. Sukamaju',
  property_type: null,
  spt_number: '33.74.010.001',
  year: 2026,
  amount: 45_000,
  amount_source: 'typed',
  status: 'belum_lunas',
  due_date: null,
  payment_date: null,
  updated_at: '2026-08-03T02:00:00.000Z',
} as const;
// oxlint-disable-next-line unicorn/no-thenable -- an object and no function
const card = { id: 'r1', now: null, then: fields };
const notice = buildMessage({
  number: 12,
  user_id: 'u1',
  sender_id: 'a2',
  sender_name: 'Sari',
  kind: 'notice',
  content: 'Foto disimpan sebagai bukti PBB 2026',
  record: card,
});

/** Answers as the server does; `read` gives the messages at each request for those around one. */
function serveHistory(server: ReturnType<typeof fakeServer>, messages: Message[], read = () => messages): void {
  server.on(HISTORY, ({ query }) => {
    const after = Number(query['after'] ?? 0);
    const found = query['around'] === undefined ? messages.filter(({ _id }) => Number(_id) > after) : read();
    return okAnswer(buildHistory(found, { total: messages.length }));
  });
}
beforeEach(() => () => closeSession());

const open = (messages: Message[] = [withFiles]) =>
  renderInbox({
    rows: [buildUserSummary('u1', 11)],
    initialPath: '/admin/chat?user=u1',
    prepare: (server) => serveHistory(server, messages),
  });
const photo = (name: string) => conversationPane().findByRole('img', { name: `Foto dari Siti: ${name}` });
const srcOf = async (name: string) => (await photo(name)).getAttribute('src');
/** The same message with other links, as every answer has. */
const renewed = (number: number): Message => ({
  ...withFiles,
  attachments: withFiles.attachments.map((file) => ({
    ...file,
    url: file.url.replace('e=1', `e=99999999999${number}`),
    thumb_url: file.thumb_url && file.thumb_url.replace('e=1', `e=99999999999${number}`),
  })),
});

describe('a message with files', () => {
  it('shows thumbnails whose place is known, a card for the document, and only the typed words', async () => {
    await open();
    const first = await photo('bukti.jpg');
    expect(first.getAttribute('src')).toMatch(/\/uploads\/f1-kecil\.jpg\?e=1$/);
    expect(first.getAttribute('loading')).toBe('lazy');
    expect(await srcOf('rumah.jpg')).toMatch(/\/uploads\/f2\.jpg\?e=1$/);
    const document = conversationPane().getByRole('link', { name: 'Unduh dokumen dari Siti: sppt.pdf, 1,2 MB' });
    expect(document.getAttribute('download')).toBe('sppt.pdf');
    expect(conversationPane().getByText('Ini buktinya')).toBeTruthy();
    expect(conversationPane().queryByText(/Foto: bukti/)).toBeNull();
  });

  it('loads again when a link has ended, once for all of its files; after that only on request', async () => {
    const { server } = await open();
    let reads = 0;
    serveHistory(server, [withFiles], () => [renewed((reads += 1))]);
    const images = [await photo('bukti.jpg'), await photo('rumah.jpg')];
    for (const image of images) fireEvent.error(image);
    await waitFor(async () => expect(await srcOf('bukti.jpg')).toMatch(/f1-kecil\.jpg\?e=999999999991$/));
    expect(await srcOf('rumah.jpg')).toMatch(/f2\.jpg\?e=999999999991$/);
    expect(server.callsOf(HISTORY).filter(({ query }) => query['around'] === '11')).toHaveLength(1);

    fireEvent.error(await photo('bukti.jpg'));
    await userEvent.click(conversationPane().getByRole('button', { name: 'Muat ulang Foto dari Siti: bukti.jpg' }));
    await waitFor(async () => expect(await srcOf('bukti.jpg')).toMatch(/e=999999999992$/));
    // The other one still works, so it keeps its address.
    expect(await srcOf('rumah.jpg')).toMatch(/e=999999999991$/);
  });

  it('downloads its document with a fresh link where the old one has ended', async () => {
    const { server } = await open();
    await photo('bukti.jpg');
    serveHistory(server, [withFiles], () => [renewed(7)]);
    const started: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      started.push(`${this.href} ${this.download}`);
    });
    fireEvent.click(conversationPane().getByRole('link', { name: /sppt\.pdf/ }));
    await waitFor(() => expect(started).toHaveLength(1));
    expect(started[0]).toMatch(/\/uploads\/f3\.pdf\?e=999999999997 sppt\.pdf$/);
  });

  it('appears in a quote and in the list with the kinds of its files and its text', async () => {
    const other = buildSummary('u2', { ...withFiles, user_id: 'u2' });
    const view = await renderInbox({
      rows: [buildUserSummary('u1', 11), other],
      initialPath: '/admin/chat?user=u1',
      histories: { u1: [withFiles] },
    });
    await photo('bukti.jpg');
    expect(within(await rowOf('Warga u2')).getByText('2 foto, Dokumen · Ini buktinya')).toBeTruthy();
    await view.user.click(conversationPane().getByRole('button', { name: 'Kutip pesan Siti' }));
    const quote = conversationPane().getByRole('region', { name: 'Pesan yang dikutip' });
    expect(quote.textContent).toContain('2 foto, Dokumen · Ini buktinya');
  });

  it('opens its photos in a viewer with the others of the conversation, and gives the focus back', async () => {
    const answer = buildMessage({ number: 12, user_id: 'u1', attachments: [buildAttachment({ id: 'f9' })] });
    const { user } = await open([withFiles, answer]);
    const button = (await photo('rumah.jpg')).closest('button');
    await user.click(button as HTMLButtonElement);
    const viewer = within(await screen.findByRole('dialog', { name: 'Foto' }));
    const shown = await viewer.findByRole('img', { name: 'Foto dari Siti: rumah.jpg' });
    expect(shown.getAttribute('src')).toMatch(/\/uploads\/f2\.jpg\?e=1$/);
    expect(viewer.getByText('2 / 3')).toBeTruthy();
    expect(viewer.getByText(/^rumah\.jpg · Siti · /)).toBeTruthy();
    await user.keyboard('r');
    expect(shown.style.transform).toContain('rotate(90deg)');
    await user.click(viewer.getByRole('button', { name: 'Foto berikutnya' }));
    expect(await viewer.findByText('3 / 3')).toBeTruthy();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Foto' })).toBeNull());
    // Neither the conversation nor anything else has heard that key.
    expect(messageField()).toBeTruthy();
    expect(document.activeElement).toBe(button);
  });
});

describe('a notice', () => {
  it('stands between the messages with who and what, cannot be quoted, and changes nothing about who waits', async () => {
    const older = { ...notice, _id: '9', id: '9', content: 'Hasil pencocokan dibatalkan' };
    const { push } = await open([older, withFiles]);
    await photo('bukti.jpg');
    const row = await rowOf('Warga u1');
    expect(within(row).getByText(/^menunggu/)).toBeTruthy();
    push('message:new', { ...notice, prev_id: '11' });
    const line = (await conversationPane().findByText('Foto disimpan sebagai bukti PBB 2026')).closest('[data-item]');
    expect(line?.textContent).toMatch(/^Pemberitahuan: Foto disimpan sebagai bukti PBB 2026\s+Sari · /);
    expect(within(line as HTMLElement).queryByRole('button', { name: /^Kutip/ })).toBeNull();
    // Only the newest notice about a record has its card.
    expect(conversationPane().getAllByText('Data sudah dihapus')).toHaveLength(1);
    expect(within(line as HTMLElement).getByText('Data sudah dihapus')).toBeTruthy();
    expect(within(row).getByText('Foto disimpan sebagai bukti PBB 2026')).toBeTruthy();
    expect(within(row).getByText(/^menunggu/)).toBeTruthy();
    expect(listPane().getAllByRole('link')).toHaveLength(1);
    expect(screen.getByText('Pemberitahuan dari Sari: Foto disimpan sebagai bukti PBB 2026')).toBeTruthy();
    (line as HTMLElement).focus();
    fireEvent.keyDown(line as HTMLElement, { key: 'k' });
    expect(conversationPane().queryByRole('region', { name: 'Pesan yang dikutip' })).toBeNull();
  });
});

describe('a message with files that is not sent', () => {
  const file = { name: 'bukti.jpg', type: 'image/jpeg', bytes: 400_000, width: 1200, height: 1600, hasThumb: false };
  const entry: OutboxEntry = {
    client_id: 'c1',
    user_id: 'u1',
    content: 'Ini\nFoto: bukti.jpg',
    files: [{ ...file, id: 'l1', isKept: true, uploadedId: null }],
    record: null,
    followsFiles: false,
    order: 1,
    quote: null,
    seen_id: null,
    isHeld: false,
    state: 'waiting',
    attempts: 1,
    serverError: false,
    reason: '',
    refusedFileId: null,
    busyBy: '',
    busyUntil: 0,
  };
  const acts = {
    onRetry: vi.fn<() => void>(),
    onDiscard: vi.fn<() => void>(),
    onEdit: vi.fn<() => void>(),
    onCancel: vi.fn<() => void>(),
    onRemoveFile: vi.fn<(id: string) => void>(),
  };
  const current: InFlightMessage = {
    clientId: 'c1',
    wasSentBefore: false,
    step: 'claiming',
    uploadingId: null,
    fraction: 0,
    lastProgressMs: 0,
    renewedAtMs: 0,
    missed: null,
    historyVersion: '',
  };
  /** This tab sends the message, and is so far. */
  const sendAt = (change: Partial<InFlightMessage>): void =>
    getDefaultStore().set(chatStateAtom, {
      ...emptyChatState,
      outbox: [entry],
      inFlight: { u1: { ...current, ...change } },
    });
  beforeEach(() => {
    vi.clearAllMocks();
    return () => getDefaultStore().set(chatStateAtom, emptyChatState);
  });

  it('says how far it is and can be stopped until the message itself is on its way', async () => {
    const { user } = renderPage(<UnsentActions entry={entry} {...acts} />);
    expect(screen.getByText('Menunggu dikirim')).toBeTruthy();
    act(() => sendAt({ step: 'uploading', uploadingId: 'l1', fraction: 0.4 }));
    expect(screen.getByText('Mengunggah 40 %')).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('40');
    await user.click(screen.getByRole('button', { name: 'Batalkan' }));
    expect(acts.onCancel).toHaveBeenCalledTimes(1);
    act(() => sendAt({ step: 'sending' }));
    expect(screen.queryByRole('button', { name: 'Batalkan' })).toBeNull();
  });

  it('says why it was refused, and can be changed or go on without a file', async () => {
    const refused = { ...entry, state: 'failed' as const, reason: 'Ruang penyimpanan Anda penuh' };
    const { user } = renderPage(<UnsentActions entry={refused} {...acts} />);
    expect(screen.getByRole('alert').textContent).toBe('Gagal mengirim pesanRuang penyimpanan Anda penuh');
    await user.click(screen.getByRole('button', { name: 'Keluarkan bukti.jpg' }));
    expect(acts.onRemoveFile).toHaveBeenCalledWith('l1');
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    expect(acts.onRetry).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole('button', { name: 'Ubah' }));
    expect(acts.onEdit).toHaveBeenCalledTimes(1);
  });

  it('marks the file that the server refused, and offers to take out that one alone', async () => {
    const second = { ...file, id: 'l2', name: 'salah.jpg', isKept: true, uploadedId: null };
    const refused = {
      ...entry,
      files: [...entry.files, second],
      state: 'failed' as const,
      reason: '“salah.jpg” ditolak. File terlalu besar',
      refusedFileId: 'l2',
    };
    const { user } = renderPage(
      <MessageBubble caption="" entry={refused} writtenAt={withFiles.createdAt} own sender="Anda" currentUserId="u1">
        <UnsentActions entry={refused} {...acts} />
      </MessageBubble>,
    );
    expect(screen.getAllByText('Ditolak')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Keluarkan bukti.jpg' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Keluarkan salah.jpg' }));
    expect(acts.onRemoveFile).toHaveBeenCalledWith('l2');
  });

  it('shows each photo at its own place after one of them was taken out, and after it is stored', async () => {
    const { keepLocalFile, rememberUploads } = await import('../files/local-files.ts');
    const [createUrl, blobs] = [vi.spyOn(URL, 'createObjectURL'), ['a', 'b', 'c']];
    for (const id of blobs) createUrl.mockReturnValueOnce(`blob:${id}`);
    for (const id of blobs) {
      // One after the other, as they are chosen.
      // oxlint-disable-next-line no-await-in-loop
      await keepLocalFile('u1', id, new File([id], `${id}.jpg`, { type: 'image/jpeg' }), null);
    }
    const files = blobs.map((id) => ({ ...file, id, name: `${id}.jpg`, isKept: true, uploadedId: null }));
    const shared = { writtenAt: withFiles.createdAt, own: true, sender: 'Anda', currentUserId: 'u1', caption: '' };
    const shown = () =>
      screen.getAllByRole('img').map((image) => `${image.getAttribute('alt')} ${image.getAttribute('src')}`);
    const stored = files.slice(1).map(({ id, name }) => buildAttachment({ id: `s${id}`, name }));
    const steps = [
      <MessageBubble key="1" {...shared} entry={{ ...entry, files }} />,
      <MessageBubble key="1" {...shared} entry={{ ...entry, files: files.slice(1) }} />,
      <MessageBubble key="1" {...shared} message={{ ...withFiles, attachments: stored }} />,
    ];
    function Page() {
      const [step, setStep] = useState(0);
      return (
        <>
          {steps[step]}
          <button onClick={() => setStep(step + 1)}>lanjut</button>
        </>
      );
    }
    const { user } = renderPage(<Page />);
    const next = () => user.click(screen.getByRole('button', { name: 'lanjut' }));
    const all = blobs.map((id) => `Foto dari Anda: ${id}.jpg blob:${id}`);
    await waitFor(() => expect(shown()).toEqual(all));
    await next();
    expect(shown()).toEqual(all.slice(1));
    rememberUploads(files.map(({ id }) => ({ id, uploadedId: `s${id}` })));
    await next();
    expect(shown()).toEqual(all.slice(1));
  });

  it('keeps the picture of this device when it is stored', async () => {
    const { keepLocalFile, rememberUploads } = await import('../files/local-files.ts');
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:lokal');
    await keepLocalFile('u1', 'l1', new File(['x'], 'bukti.jpg', { type: 'image/jpeg' }), null);
    const shared = { writtenAt: withFiles.createdAt, own: true, sender: 'Anda', currentUserId: 'u1', caption: 'Ini' };
    const stored = { ...withFiles, attachments: [buildAttachment()] };
    function Bubble({ isStored }: { isStored: boolean }) {
      return isStored ? <MessageBubble {...shared} message={stored} /> : <MessageBubble {...shared} entry={entry} />;
    }
    function Page() {
      const [isStored, setStored] = useState(false);
      return (
        <>
          <Bubble isStored={isStored} />
          <button onClick={() => setStored(true)}>tersimpan</button>
        </>
      );
    }
    const { user } = renderPage(<Page />);
    const image = await screen.findByRole('img', { name: 'Foto dari Anda: bukti.jpg' });
    expect(image.getAttribute('src')).toBe('blob:lokal');
    fireEvent.load(image);
    rememberUploads([{ id: 'l1', uploadedId: 'f1' }]);
    await user.click(screen.getByRole('button', { name: 'tersimpan' }));
    expect(screen.getByRole('img', { name: 'Foto dari Anda: bukti.jpg' })).toBe(image);
    expect(image.getAttribute('src')).toBe('blob:lokal');
    expect(screen.getByRole('button', { name: 'Jadikan bukti' })).toBeTruthy();
  });
});
