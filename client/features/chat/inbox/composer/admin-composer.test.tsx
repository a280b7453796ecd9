import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { failAnswer, networkError, neverAnswer, okAnswer } from '#client/testing/fake-server.ts';
import { buildHistory, buildMessage } from '../../testing/build-chat-data.ts';
import { buildUserSummary, conversationPane, listPane, messageField, renderInbox } from '../testing/render-inbox.tsx';

const SEND = 'POST /api/messages/send';
const NOTES = 'POST /api/admin/conversations/u1/notes';
const question = buildMessage({
  number: 11,
  user_id: 'u1',
  sender_id: 'u1',
  sender_name: 'Warga u1',
  from_admin: false,
});
const colleagues = buildMessage({
  number: 12,
  user_id: 'u1',
  sender_id: 'a2',
  sender_name: 'Pak Joko',
  content: 'Sudah saya jawab',
  createdAt: '2026-08-03T03:42:00.000Z',
});

const quickReplies = [
  { id: 'q1', shortcut: 'alamat', title: 'Alamat kantor', content: 'Jl. Merdeka 1' },
  { id: 'q2', shortcut: 'tagihan', title: 'Rincian tunggakan', content: 'Tunggakan {nama}: {jumlah_tunggakan}' },
  { id: 'q3', shortcut: 'nop', title: 'Minta NOP', content: 'Kirim {?nomor NOP}, café' },
].map((reply) => Object.assign(reply, { _id: reply.id, personal: false, updated_at: '2026-08-01T00:00:00.000Z' }));

type Sent = { content: string; client_id: string; seen_id?: string; reply_to?: string };

async function openConversation({ isWideScreen = true } = {}) {
  const inbox = await renderInbox({
    isWideScreen,
    rows: [buildUserSummary('u1', 11), buildUserSummary('u2', 10), buildUserSummary('u3', 9)],
    initialPath: '/admin/chat?user=u1',
    histories: { u1: [question] },
  });
  const { server } = inbox;
  server.on('GET /api/admin/quick-replies', okAnswer(quickReplies));
  let number = 20;
  server.on(SEND, ({ body }) => {
    const { content, client_id } = body as Sent;
    number += 1;
    return okAnswer(buildMessage({ number, user_id: 'u1', content, client_id }));
  });
  server.on(NOTES, ({ body }) =>
    okAnswer({
      ...(body as Sent),
      id: 'n1',
      _id: 'n1',
      user_id: 'u1',
      author: { id: 'a1', name: 'Ibu Ratna' },
      createdAt: question.createdAt,
      created_at: question.createdAt,
    }),
  );
  await within(await screen.findByRole('log')).findByText(question.content);
  const sent = (): Sent[] => server.callsOf(SEND).map(({ body }) => body as Sent);
  const notes = (): Sent[] => server.callsOf(NOTES).map(({ body }) => body as Sent);
  return { ...inbox, sent, notes };
}

const noteField = () => screen.getByPlaceholderText<HTMLTextAreaElement>('Tulis catatan internal...');
const press = (keys: string) => userEvent.keyboard(keys);
const pressAltN = () => press('{Alt>}[KeyN]{/Alt}');
const options = () => screen.queryAllByRole('option').map((option) => option.textContent);

beforeEach(() => {
  window.localStorage.clear();
});

describe('a note', () => {
  it('keeps its own mode and its own draft, and never goes out as a message', async () => {
    const { sent, notes, socket } = await openConversation();
    await userEvent.type(messageField(), 'Jawaban');
    await pressAltN();
    expect(document.activeElement).toBe(noteField());
    expect(noteField().value).toBe('');
    expect(screen.getByText('Hanya terlihat oleh admin')).toBeInstanceOf(HTMLElement);
    const typingEvents = () => socket.emitted.filter(([event]) => event === 'typing');
    const typingBefore = typingEvents().length;
    await userEvent.type(noteField(), 'RAHASIA');
    expect(typingEvents()).toHaveLength(typingBefore);
    await pressAltN();
    expect(messageField().value).toBe('Jawaban');
    await pressAltN();
    expect(noteField().value).toBe('RAHASIA');
    await press('{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(messageField()));
    expect(messageField().value).toBe('Jawaban');
    expect(screen.getByText('Catatan disimpan. Kembali ke Balas.')).toBeInstanceOf(HTMLOutputElement);
    expect(notes().map(({ content }) => content)).toEqual(['RAHASIA']);
    expect(sent()).toEqual([]);
    // Also by the keys and buttons of an answer.
    await pressAltN();
    expect(noteField().value).toBe('');
    await userEvent.type(noteField(), 'DUA');
    await press('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(messageField()));
    expect(notes()).toHaveLength(2);
    expect(sent()).toEqual([]);
    expect(messageField().value).toBe('Jawaban');
    await press('{Enter}');
    expect(sent().map(({ content }) => content)).toEqual(['Jawaban']);
  });

  it('stays in the field until it is stored, and is repeated under the same id', async () => {
    const { server, notes } = await openConversation();
    await pressAltN();
    server.on(NOTES, networkError);
    await userEvent.type(noteField(), 'Sudah ditelepon{Enter}');
    expect((await screen.findByText(/Catatan belum tersimpan/)).textContent).toContain('coba lagi');
    expect(noteField().value).toBe('Sudah ditelepon');
    server.on(NOTES, failAnswer(409, 'Paling banyak 200 catatan'));
    await press('{Enter}');
    expect(await screen.findByText('Paling banyak 200 catatan')).toBeInstanceOf(HTMLElement);
    const ids = notes().map(({ client_id }) => client_id);
    expect(new Set(ids).size).toBe(1);
    expect(noteField().value).toBe('Sudah ditelepon');
    await userEvent.type(noteField(), '!{Enter}');
    expect(notes().at(-1)?.client_id).not.toBe(ids[0]);
  });

  it('takes a quoted message as text', async () => {
    await openConversation();
    await pressAltN();
    await userEvent.click(screen.getByRole('button', { name: 'Kutip pesan Warga u1' }));
    expect(noteField().value).toBe(`Warga u1: “${question.content}”\n`);
    expect(screen.queryByRole('region', { name: 'Pesan yang dikutip' })).toBeNull();
  });
});

describe('the quick replies', () => {
  it('open with / at the start of a word, are searched, and are inserted at the cursor with the figures of the server', async () => {
    const { server, sent } = await openConversation();
    server.on('POST /api/admin/quick-replies/q2/fill', okAnswer({ text: 'Tunggakan Budi: Rp 1.250.000', missing: [] }));
    await userEvent.type(messageField(), 'dan/atau');
    expect(screen.queryByRole('listbox')).toBeNull();
    await userEvent.clear(messageField());
    await userEvent.type(messageField(), 'Halo. /');
    await waitFor(() => expect(options()).toHaveLength(3));
    expect(messageField().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    await press('cafe');
    expect(options()).toEqual([expect.stringContaining('/nop')]);
    await press('{Backspace}{Backspace}{Backspace}{Backspace}');
    await press('{ArrowDown}{ArrowDown}{ArrowUp}');
    const active = messageField().getAttribute('aria-activedescendant');
    expect(document.getElementById(active ?? '')?.textContent).toContain('/tagihan');
    await press('{Enter}');
    await waitFor(() => expect(messageField().value).toBe('Halo. Tunggakan Budi: Rp 1.250.000'));
    expect(server.callsOf('POST /api/admin/quick-replies/q2/fill')[0]?.body).toEqual({ user_id: 'u1' });
    expect(sent()).toEqual([]);
    await press('.{Enter}');
    expect(sent().map(({ content }) => content)).toEqual(['Halo. Tunggakan Budi: Rp 1.250.000.']);
  });

  it('enter the field as if typed where the browser can, so that Ctrl+Z takes them back', async () => {
    const { server } = await openConversation();
    server.on('POST /api/admin/quick-replies/q1/fill', okAnswer({ text: 'Jl. Merdeka 1', missing: [] }));
    const insert = vi.fn((_command: string, _ui: boolean, text: string) => {
      const { selectionStart, selectionEnd } = messageField();
      messageField().setRangeText(text, selectionStart, selectionEnd, 'end');
      return fireEvent.input(messageField());
    });
    Object.defineProperty(document, 'execCommand', { value: insert, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'));
    await userEvent.type(messageField(), 'Datang ke /alam');
    await waitFor(() => expect(options()).toHaveLength(1));
    await press('{Enter}');
    await waitFor(() => expect(messageField().value).toBe('Datang ke Jl. Merdeka 1'));
    expect(insert.mock.calls).toEqual([['insertText', false, 'Jl. Merdeka 1']]);
    await press(' ya');
    expect(messageField().value).toBe('Datang ke Jl. Merdeka 1 ya');
  });

  it('close with Escape without closing the conversation, and by then the text is a text', async () => {
    const { sent } = await openConversation();
    await userEvent.type(messageField(), '/ala');
    await waitFor(() => expect(options()).toHaveLength(1));
    await press('{Escape}');
    expect(screen.queryByRole('listbox')).toBeNull();
    await press('{Enter}');
    expect(sent().map(({ content }) => content)).toEqual(['/ala']);
  });

  it('lead to their page where there are none, by mouse and by keyboard, and leave no / behind', async () => {
    const { server, sent } = await openConversation();
    server.on('GET /api/admin/quick-replies', okAnswer([]));
    const link = () => screen.findByRole('link', { name: 'Buat atau impor contohnya' });
    await userEvent.type(messageField(), 'Halo /');
    const shown = await link();
    await press('{Enter}');
    expect(document.activeElement).toBe(shown);
    await press('{Escape}');
    expect(screen.queryByRole('link', { name: 'Buat atau impor contohnya' })).toBeNull();
    expect([document.activeElement, messageField().value]).toEqual([messageField(), 'Halo ']);
    await userEvent.clear(messageField());
    await userEvent.click(screen.getByRole('button', { name: 'Balasan cepat' }));
    expect(messageField().value).toBe('/');
    await userEvent.click(await link());
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/admin/settings/quick-replies');
    expect(sent()).toEqual([]);
  });

  it.each([
    ['Escape', () => press('{Escape}')],
    ['a press elsewhere', () => userEvent.click(screen.getByRole('log'))],
    ['the same button again', () => userEvent.click(screen.getByRole('button', { name: 'Balasan cepat' }))],
    ['a press on Kirim', () => userEvent.click(screen.getByRole('button', { name: 'Kirim' }))],
  ])('leave no / behind when %s closes the list without a choice', async (_name, close) => {
    const { sent } = await openConversation();
    await userEvent.type(messageField(), 'Halo /');
    await waitFor(() => expect(options()).toHaveLength(3));
    await close();
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(messageField().value).toBe('Halo ');
    expect(sent()).toEqual([]);
  });

  it('let Enter neither send nor choose before the list has come', async () => {
    const { server, sent } = await openConversation();
    server.on('GET /api/admin/quick-replies', neverAnswer);
    await userEvent.type(messageField(), 'Halo /nop{Enter}');
    expect(screen.getByText('Memuat balasan cepat…')).toBeInstanceOf(HTMLElement);
    expect(messageField().value).toBe('Halo /nop');
    expect(sent()).toEqual([]);
  });

  it('keep what was typed when the server cannot fill one in', async () => {
    const { server } = await openConversation();
    server.on('POST /api/admin/quick-replies/q1/fill', networkError);
    await userEvent.click(screen.getByRole('button', { name: 'Balasan cepat' }));
    await userEvent.click(await screen.findByRole('option', { name: /alamat/ }));
    expect(await screen.findByText(/“Alamat kantor” gagal disisipkan/)).toBeInstanceOf(HTMLElement);
    expect(messageField().value).toBe('/');
    server.on('POST /api/admin/quick-replies/q1/fill', okAnswer({ text: 'Jl. Merdeka 1', missing: [] }));
    await userEvent.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await waitFor(() => expect(messageField().value).toBe('Jl. Merdeka 1'));
  });

  it('mark what is left open, and sending asks for it first', async () => {
    const { server, sent } = await openConversation();
    const filled = { text: 'Kirim {?nomor NOP} dan {jam_layanan}', missing: ['nomor NOP', 'jam_layanan'] };
    server.on('POST /api/admin/quick-replies/q3/fill', okAnswer(filled));
    await userEvent.type(messageField(), '/nop');
    await waitFor(() => expect(options()).toHaveLength(1));
    await press('{Enter}');
    await waitFor(() => expect(messageField().value).toBe(filled.text));
    await press('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Lengkapi: nomor NOP');
    const { selectionStart, selectionEnd, value } = messageField();
    expect(value.slice(selectionStart, selectionEnd)).toBe('{?nomor NOP}');
    await press('{Control>}{Enter}{/Control}');
    expect(sent()).toEqual([]);
    await press('{Backspace}32.76');
    await press('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Lengkapi: jam layanan');
    expect(screen.getByText(/^Jam layanan belum pernah diisi/)).toBeInstanceOf(HTMLElement);
    expect(screen.getByRole('link', { name: 'Isi jam layanan' }).getAttribute('href')).toBe(
      '/admin/settings/office-hours',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Biarkan {jam_layanan} apa adanya' }));
    await press('{Enter}');
    expect(sent().map(({ content }) => content)).toEqual(['Kirim 32.76 dan {jam_layanan}']);
  });

  it('leave braces that somebody typed alone', async () => {
    const { sent } = await openConversation();
    await userEvent.type(messageField(), 'Isi {{nama} dan {{?teks}{Enter}');
    expect(sent().map(({ content }) => content)).toEqual(['Isi {nama} dan {?teks}']);
  });
});

describe('Kirim & lanjut', () => {
  it('sends and opens the conversation that waits longest', async () => {
    const { sent, router } = await openConversation();
    await press('{Control>}{Enter}{/Control}');
    await userEvent.click(messageField());
    await press('{Control>}{Enter}{/Control}');
    expect(sent()).toEqual([]);
    await userEvent.type(messageField(), 'Selesai');
    await press('{Control>}{Enter}{/Control}');
    expect(sent().map(({ content }) => content)).toEqual(['Selesai']);
    await waitFor(() => expect(router.state.location.search).toBe('?user=u2'));
  });

  it.each([true, false])('leaves the keyboard of a phone as it was: open %s', async (isOpen) => {
    const { router } = await openConversation({ isWideScreen: false });
    await userEvent.type(messageField(), 'Selesai');
    if (!isOpen) act(() => messageField().blur());
    await userEvent.click(screen.getByRole('button', { name: 'Kirim & lanjut' }));
    await waitFor(() => expect(router.state.location.search).toBe('?user=u2'));
    expect(document.activeElement === messageField()).toBe(isOpen);
  });
});

describe('a second answer', () => {
  const refusal = failAnswer(409, 'Pak Joko sudah membalas. Baca dulu sebelum mengirim.');

  async function sendTooLate({ isWideScreen = true } = {}) {
    const inbox = await openConversation({ isWideScreen });
    const { server } = inbox;
    const accept = (): void => {
      server.on(SEND, ({ body }) => {
        const { content, client_id } = body as Sent;
        return okAnswer(buildMessage({ number: 13, user_id: 'u1', content, client_id, prev_id: '12' }));
      });
    };
    // No event comes: the refusal itself leads to the answer, which no earlier call may find.
    server.on(SEND, () => {
      server.on('GET /api/messages/conversation/u1', ({ query }) =>
        okAnswer(
          buildHistory(query['after'] === '12' ? [] : query['after'] === '11' ? [colleagues] : [question, colleagues]),
        ),
      );
      return refusal;
    });
    await userEvent.type(messageField(), 'Jawaban saya{Enter}');
    const bar = within(await screen.findByRole('region', { name: 'Balasan Anda belum dikirim' }));
    return { ...inbox, bar, accept };
  }

  it('shows the bar with the answer of the colleague, and is repeated by nobody', async () => {
    const { bar, sent } = await sendTooLate();
    expect((await bar.findByText('Pak Joko sudah membalas pukul 10.42')).closest('[role="alert"]')).not.toBeNull();
    expect(bar.getByText('Sudah saya jawab')).toBeInstanceOf(HTMLElement);
    expect(bar.getByText('“Jawaban saya”')).toBeInstanceOf(HTMLElement);
    expect(sent()).toHaveLength(1);
    expect(sent()[0]?.seen_id).toBe('11');
    await userEvent.type(messageField(), 'Berikutnya{Enter}');
    expect(sent()).toHaveLength(1);
    expect(bar.getByText(/1 pesan sesudahnya ikut menunggu/)).toBeInstanceOf(HTMLElement);
  });

  it('goes out once more under the same client_id after Tetap kirim', async () => {
    const { bar, sent, accept } = await sendTooLate();
    accept();
    await bar.findByText(/pukul 10.42/);
    await userEvent.click(bar.getByRole('button', { name: 'Tetap kirim' }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]).toMatchObject({ content: 'Jawaban saya', client_id: sent()[0]?.client_id, seen_id: '12' });
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Balasan Anda belum dikirim' })).toBeNull());
    expect(document.activeElement).toBe(messageField());
  });

  it('comes back into the field by Ubah, before what was typed meanwhile', async () => {
    const { bar, sent } = await sendTooLate();
    await userEvent.type(messageField(), 'Ketikan baru');
    await userEvent.click(bar.getByRole('button', { name: 'Ubah' }));
    expect(messageField().value).toBe('Jawaban saya\nKetikan baru');
    expect(screen.queryByRole('region', { name: 'Balasan Anda belum dikirim' })).toBeNull();
    expect(sent()).toHaveLength(1);
  });

  it('disappears after Buang, and the messages after it go out', async () => {
    const { bar, sent, accept } = await sendTooLate();
    await userEvent.type(messageField(), 'Berikutnya{Enter}');
    accept();
    await userEvent.click(bar.getByRole('button', { name: 'Buang' }));
    await waitFor(() => expect(sent().map(({ content }) => content)).toEqual(['Jawaban saya', 'Berikutnya']));
  });

  it('shows an alert in the conversation to which the admin has gone on', async () => {
    const { router } = await sendTooLate();
    await act(async () => router.navigate('/admin/chat?user=u2'));
    const notice = await screen.findByText('Pesan Anda untuk Warga u1 belum dikirim: rekan Anda sudah membalas.');
    expect(notice.closest('[role="alert"]')).not.toBeNull();
    expect(screen.queryByRole('region', { name: 'Balasan Anda belum dikirim' })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Lihat' }));
    await screen.findByRole('region', { name: 'Balasan Anda belum dikirim' });
  });

  it('shows one alert, in the list, however many conversations stand side by side', async () => {
    const { router } = await sendTooLate();
    await act(async () => router.navigate('/admin/chat?user=u2&beside=u3'));
    const notice = await listPane().findByText(/^Pesan Anda untuk Warga u1 belum dikirim/);
    expect(screen.getAllByText(/belum dikirim: rekan Anda sudah membalas/)).toEqual([notice]);
    await act(async () => router.navigate('/admin/chat?user=u2&beside=u1'));
    await screen.findByRole('region', { name: 'Balasan Anda belum dikirim' });
    expect(screen.queryByText(/belum dikirim: rekan Anda sudah membalas/)).toBeNull();
  });

  it('shows an alert on a phone in the list and in another conversation', async () => {
    const { router } = await sendTooLate({ isWideScreen: false });
    await act(async () => router.navigate('/admin/chat'));
    // By text: on one pane a search by role takes jsdom seconds.
    const inList = await screen.findByText(/^Pesan Anda untuk Warga u1 belum dikirim/);
    expect(inList.closest('section')?.getAttribute('aria-label')).toBe('Daftar percakapan');
    await act(async () => router.navigate('/admin/chat?user=u2'));
    const inConversation = await screen.findByText(/^Pesan Anda untuk Warga u1 belum dikirim/);
    expect(inConversation.closest('section')?.getAttribute('aria-label')).toBe('Percakapan dengan Warga u2');
  });

  it('stays after a reload', async () => {
    const { unmount } = await sendTooLate();
    act(() => unmount());
    await openConversation();
    const bar = within(await screen.findByRole('region', { name: 'Balasan Anda belum dikirim' }));
    expect(bar.getByText('“Jawaban saya”')).toBeInstanceOf(HTMLElement);
    expect(conversationPane().getByText('Belum dikirim')).toBeInstanceOf(HTMLElement);
  });
});
