import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { emptyChatState } from '../state/chat-state.ts';
import { emptyConversation } from '../state/model/conversation.ts';
import { countOnTheWay, type OutboxEntry } from '../state/model/outbox-entry.ts';
import { decideRetry } from '../state/model/retry-policy.ts';
import { CLAIM_LEASE_MS } from '../state/sending.ts';
import { openOutbox, type OpenOutbox } from '../testing/open-outbox.ts';

/**
 * The fake server: the messages that it stored, and how it answers the next calls. A call is recorded with the number of
 * attempts before it.
 */
function fakeSendEndpoint() {
  const stored: string[] = [];
  const calls: string[] = [];
  const outcomes: (ApiError | 'hang' | 'lost')[] = [];
  async function send({ entry, wasSentBefore }: { entry: OutboxEntry; wasSentBefore: boolean }): Promise<void> {
    const { client_id, content, attempts } = entry;
    expect(wasSentBefore).toBe(attempts > 1);
    calls.push(`${content} ${attempts - 1}`);
    const next = outcomes.shift();
    if (next === 'hang') return new Promise(() => {});
    if (next instanceof ApiError) throw next;
    if (!stored.includes(client_id)) stored.push(client_id);
    if (next === 'lost') throw new ApiError('network');
  }
  return { stored, calls, outcomes, send };
}

const openOutboxes: OpenOutbox[] = [];

/** An open conversation, into which events of the server put messages. */
const withConversation = { conversations: { u1: { ...emptyConversation, loaded: true } } };
/** The admin has read these conversations up to a message. */
const withShown = {
  reading: {
    ...emptyChatState.reading,
    shown: { u1: { atBottom: false, upTo: 7 }, u2: { atBottom: false, upTo: 3 } },
  },
};

function openTab(
  endpoint: ReturnType<typeof fakeSendEndpoint>,
  tabId: string,
  { currentUserId = 'u1', initial = {} }: Partial<Parameters<typeof openOutbox>[0]> = {},
) {
  const outbox = openOutbox({ tabId, currentUserId, initial, send: endpoint.send });
  openOutboxes.push(outbox);
  const { entries, contents } = outbox;
  return { outbox, entries, contents };
}

/** Dispatches the storage event that another tab of the browser would get. */
const dispatchStorageEvent = (): void => void window.dispatchEvent(new StorageEvent('storage', { key: null }));
const runPendingTimers = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

afterEach(() => {
  for (const outbox of openOutboxes.splice(0)) outbox.stop();
});

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});

it('shows a message at once, sends it, and removes it when it is stored', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, contents, entries } = openTab(endpoint, 'a');
  outbox.add('u1', 'Halo');
  expect(contents()).toEqual(['Halo']);
  const [entry] = entries();
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['Halo 0']);
  expect(endpoint.stored).toEqual([entry?.client_id]);
  expect(contents()).toEqual([]);
  expect(window.localStorage).toHaveLength(0);
});

it('keeps messages that could not be sent, in order, and sends them when the connection is back', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, contents } = openTab(endpoint, 'a');
  endpoint.outcomes.push(new ApiError('network'), new ApiError('timeout'));
  outbox.add('u1', 'satu');
  outbox.add('u1', 'dua');
  await runPendingTimers();
  expect(contents()).toEqual(['satu', 'dua']);
  expect(endpoint.calls).toEqual(['satu 0']);
  outbox.flush();
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1']);
  await vi.advanceTimersByTimeAsync(5000);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1', 'satu 2', 'dua 0']);
  expect(contents()).toEqual([]);
});

it('takes over the message of another tab although the clock was set back a little meanwhile', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox } = openTab(endpoint, 'a');
  endpoint.outcomes.push('hang');
  outbox.add('u1', 'Halo');
  const other = openTab(endpoint, 'b');
  other.outbox.flush();
  vi.setSystemTime(Date.now() - 1);
  await vi.advanceTimersByTimeAsync(CLAIM_LEASE_MS + 200);
  expect(endpoint.calls).toEqual(['Halo 0', 'Halo 1']);
});

it('does not let one conversation wait for another', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox } = openTab(endpoint, 'a');
  endpoint.outcomes.push('hang');
  outbox.add('u1', 'macet');
  outbox.add('u2', 'lancar');
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['macet 0', 'lancar 0']);
  expect(endpoint.stored).toHaveLength(1);
});

it('stores a message once although its answer was lost', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, contents } = openTab(endpoint, 'a');
  endpoint.outcomes.push('lost');
  outbox.add('u1', 'Halo');
  await vi.advanceTimersByTimeAsync(2000);
  expect(endpoint.calls).toEqual(['Halo 0', 'Halo 1']);
  expect(endpoint.stored).toHaveLength(1);
  expect(contents()).toEqual([]);
});

it('removes a message that a server event has confirmed, also while its call hangs', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a', { initial: withConversation });
  endpoint.outcomes.push('hang');
  outbox.add('u1', 'Halo');
  await runPendingTimers();
  outbox.confirm('of another client');
  expect(contents()).toEqual(['Halo']);
  outbox.confirm(entries()[0]?.client_id ?? '');
  expect(contents()).toEqual([]);
});

it('survives a reload in the middle of a send, and the next page knows that the message may be stored already', async () => {
  const endpoint = fakeSendEndpoint();
  const before = openTab(endpoint, 'a');
  endpoint.outcomes.push('hang');
  before.outbox.add('u1', 'Halo');
  await runPendingTimers();
  window.dispatchEvent(new Event('pagehide'));
  const after = openTab(endpoint, 'b');
  expect(after.contents()).toEqual(['Halo']);
  after.outbox.flush();
  await vi.advanceTimersByTimeAsync(200);
  expect(endpoint.calls).toEqual(['Halo 0', 'Halo 1']);
  expect(after.contents()).toEqual([]);
});

it('takes over from a tab that died, once the claim of that tab has expired', async () => {
  const endpoint = fakeSendEndpoint();
  const crashedTab = openTab(endpoint, 'a');
  endpoint.outcomes.push('hang');
  crashedTab.outbox.add('u1', 'Halo');
  await runPendingTimers();
  const other = openTab(endpoint, 'b');
  other.outbox.flush();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(endpoint.calls).toEqual(['Halo 0']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(endpoint.calls).toEqual(['Halo 0', 'Halo 1']);
  expect(other.contents()).toEqual([]);
});

it('sends once although two tabs claim the same message at the same moment', async () => {
  const endpoint = fakeSendEndpoint();
  const earlier = openTab(endpoint, 'old');
  endpoint.outcomes.push(new ApiError('network'));
  earlier.outbox.add('u1', 'Halo');
  await runPendingTimers();
  earlier.outbox.stop();
  const tabs = [openTab(endpoint, 'a'), openTab(endpoint, 'b')];
  for (const { outbox } of tabs) outbox.flush();
  await vi.advanceTimersByTimeAsync(500);
  dispatchStorageEvent();
  await vi.advanceTimersByTimeAsync(500);
  expect(endpoint.calls).toEqual(['Halo 0', 'Halo 1']);
  expect(tabs.map(({ contents }) => contents())).toEqual([[], []]);
});

it('waits in one tab while another tab is sending in the same conversation', async () => {
  const endpoint = fakeSendEndpoint();
  const [a, b] = [openTab(endpoint, 'a', { initial: withConversation }), openTab(endpoint, 'b')];
  endpoint.outcomes.push('hang');
  a.outbox.add('u1', 'satu');
  await runPendingTimers();
  dispatchStorageEvent();
  b.outbox.add('u1', 'dua');
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0']);
  a.outbox.confirm(a.entries()[0]?.client_id ?? '');
  dispatchStorageEvent();
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0', 'dua 0']);
});

it.each([
  [403, 'Anda tidak memiliki akses'],
  [404, 'User tidak ditemukan'],
  [422, 'Pesan maksimal 2000 karakter'],
])('gives up on %i until the user retries, and sends the next message', async (status, message) => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a');
  endpoint.outcomes.push(new ApiError('http', { status, message }));
  outbox.add('u1', 'ditolak');
  outbox.add('u1', 'diterima');
  await runPendingTimers();
  expect(entries()).toMatchObject([{ content: 'ditolak', state: 'failed', reason: message }]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.calls).toHaveLength(2);
  outbox.retry(entries()[0]?.client_id ?? '');
  await runPendingTimers();
  expect(contents()).toEqual([]);
  expect(endpoint.stored).toHaveLength(2);
});

it.each([
  [500, 'Terjadi kesalahan pada server'],
  [503, ''],
  [507, 'Penyimpanan server penuh. Hubungi administrator.'],
])('says after the first %i what the server said, and tries again until it goes through', async (status, message) => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a');
  const error = new ApiError('http', { status, message });
  endpoint.outcomes.push(error, error);
  outbox.add('u1', 'satu');
  outbox.add('u1', 'dua');
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0']);
  expect(entries()).toMatchObject([
    { content: 'satu', state: 'waiting', serverError: true, reason: message },
    { content: 'dua', state: 'waiting', serverError: false, reason: '' },
  ]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1']);
  expect(entries()[0]).toMatchObject({ serverError: true });
  await vi.advanceTimersByTimeAsync(2000);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1', 'satu 2', 'dua 0']);
  expect(contents()).toEqual([]);
});

it('shows no error of the server while only the connection is lost', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries } = openTab(endpoint, 'a');
  endpoint.outcomes.push(new ApiError('network'), new ApiError('http', { status: 500, message: 'Rusak' }));
  outbox.add('u1', 'Halo');
  await runPendingTimers();
  expect(entries()).toMatchObject([{ serverError: false, reason: '' }]);
  endpoint.outcomes.push(new ApiError('timeout'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(entries()).toMatchObject([{ serverError: true, reason: 'Rusak' }]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(entries()).toMatchObject([{ serverError: false, reason: '' }]);
});

it('tries again at once when the user asks, and sends the next message when one is discarded', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a');
  const error = new ApiError('http', { status: 507, message: 'Penuh' });
  endpoint.outcomes.push(error, error);
  outbox.add('u1', 'satu');
  outbox.add('u1', 'dua');
  await runPendingTimers();
  outbox.retry(entries()[0]?.client_id ?? '');
  expect(entries()[0]).toMatchObject({ serverError: false, reason: '' });
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1']);
  outbox.discard(entries()[0]?.client_id ?? '');
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1', 'dua 0']);
  expect(contents()).toEqual([]);
  expect(window.localStorage).toHaveLength(0);
});

it('discards a message that the user no longer wants to send', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a');
  endpoint.outcomes.push(new ApiError('http', { status: 422, message: 'Pesan wajib diisi' }));
  outbox.add('u1', 'x');
  await runPendingTimers();
  outbox.discard(entries()[0]?.client_id ?? '');
  expect(contents()).toEqual([]);
  expect(window.localStorage).toHaveLength(0);
});

it('keeps the message of an ended session for the same user, and shows it to no other user', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox } = openTab(endpoint, 'a');
  endpoint.outcomes.push(
    new ApiError('http', { status: 401, message: 'Sesi Anda telah berakhir. Silakan login kembali.' }),
  );
  outbox.add('u1', 'Halo');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.calls).toHaveLength(1);
  outbox.stop();
  expect(openTab(endpoint, 'b', { currentUserId: 'u2' }).contents()).toEqual([]);
  const again = openTab(endpoint, 'c');
  again.outbox.flush();
  await vi.advanceTimersByTimeAsync(200);
  expect(endpoint.stored).toHaveLength(1);
});

it('resumes with an answer of the server what waits since an earlier page, but shortens no delay', async () => {
  const endpoint = fakeSendEndpoint();
  endpoint.outcomes.push(new ApiError('network'));
  const before = openTab(endpoint, 'a');
  before.outbox.add('u1', 'satu');
  await runPendingTimers();
  before.outbox.stop();

  const { outbox, contents } = openTab(endpoint, 'b');
  const limited = new ApiError('http', { status: 429, message: 'Terlalu banyak percobaan. Coba lagi dalam 9 detik.' });
  endpoint.outcomes.push(limited);
  outbox.resume();
  await vi.advanceTimersByTimeAsync(100);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1']);
  outbox.resume();
  await vi.advanceTimersByTimeAsync(8000);
  expect(endpoint.calls).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1100);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1', 'satu 2']);
  expect(contents()).toEqual([]);
});

it('sends without local storage, too', async () => {
  const storage = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const endpoint = fakeSendEndpoint();
  const { outbox, contents } = openTab(endpoint, 'a');
  outbox.add('u1', 'Halo');
  expect(contents()).toEqual(['Halo']);
  await runPendingTimers();
  expect(endpoint.stored).toHaveLength(1);
  expect(contents()).toEqual([]);
  storage.mockRestore();
});

const tooManyFor = (seconds: number) =>
  new ApiError('http', { status: 429, message: `Terlalu banyak percobaan. Coba lagi dalam ${seconds} detik.` });

it('keeps what the limit of a day refuses, says when it goes, and sends it then with what follows', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a');
  endpoint.outcomes.push(tooManyFor(18_000));
  outbox.add('u1', 'satu');
  outbox.add('u1', 'dua');
  await runPendingTimers();
  const reason =
    'Terlalu banyak pesan dalam sehari. Pesan ini tersimpan di sini dan dikirim sendiri sekitar 5 jam lagi.';
  expect(entries()).toMatchObject([
    { content: 'satu', state: 'waiting', serverError: true, reason },
    { state: 'waiting' },
  ]);
  await vi.advanceTimersByTimeAsync(17_999_000);
  expect(endpoint.calls).toEqual(['satu 0']);
  await vi.advanceTimersByTimeAsync(2000);
  expect(endpoint.calls).toEqual(['satu 0', 'satu 1', 'dua 0']);
  expect(contents()).toEqual([]);
  expect(decideRetry(tooManyFor(90), { attempts: 1, random: 0 })).toMatchObject({
    reason: expect.stringContaining('sekitar 2 menit lagi'),
  });
});

it('waits as long as the server asks, and longer from try to try', () => {
  const limited = tooManyFor(17);
  expect(decideRetry(limited, { attempts: 1, random: 0 })).toEqual({ kind: 'again', afterMs: 17_000 });
  expect(decideRetry(tooManyFor(60), { attempts: 1, random: 0 })).toEqual({ kind: 'again', afterMs: 60_000 });
  const failed = new ApiError('http', { status: 503 });
  const delays = [1, 2, 3, 9].map((attempts) => decideRetry(failed, { attempts, random: attempts / 10 }));
  delays.forEach((fate, index) => {
    const longest = [1000, 2000, 4000, 5000][index] ?? 0;
    expect(fate).toEqual({
      kind: 'serverError',
      reason: '',
      afterMs: expect.toSatisfy((ms: number) => ms <= longest && ms >= longest / 2),
    });
  });
});

const answered = new ApiError('http', {
  status: 409,
  message: 'Ibu Ratna sudah membalas. Baca dulu sebelum mengirim.',
});

it('holds a message that a colleague answered before, and all that follow it, until somebody decides', async () => {
  const endpoint = fakeSendEndpoint();
  const { outbox, entries, contents } = openTab(endpoint, 'a', { initial: withShown });
  endpoint.outcomes.push(answered);
  outbox.add('u1', 'Satu');
  outbox.add('u1', 'Dua');
  outbox.add('u2', 'Lain');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.calls).toEqual(['Satu 0', 'Lain 0']);
  expect(entries().map(({ content, state, isHeld }) => [content, state, isHeld])).toEqual([
    ['Satu', 'failed', true],
    ['Dua', 'waiting', false],
  ]);
  expect(entries()[0]?.reason).toBe(answered.message);
  expect(countOnTheWay(entries()), 'nothing is tried until then').toBe(0);

  // Neither the connection, nor the button of a refused message, nor leaving repeats it.
  outbox.flush();
  outbox.resume();
  outbox.retry(entries()[0]?.client_id ?? '');
  expect(await outbox.sendAll()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.calls).toHaveLength(2);
  expect(contents()).toEqual(['Satu', 'Dua']);
});

it('stays held over a reload and in another tab, and is stored exactly once after the decision', async () => {
  const endpoint = fakeSendEndpoint();
  endpoint.outcomes.push(answered);
  const first = openTab(endpoint, 'a', { initial: withShown });
  first.outbox.add('u1', 'Satu');
  first.outbox.add('u1', 'Dua');
  await runPendingTimers();
  const clientId = first.entries()[0]?.client_id ?? '';
  first.outbox.stop();
  const [second, third] = [openTab(endpoint, 'b'), openTab(endpoint, 'c')];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(second.entries().map(({ isHeld }) => isHeld)).toEqual([true, false]);
  second.outbox.sendHeld(clientId, '9');
  third.outbox.sendHeld(clientId, '9');
  dispatchStorageEvent();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.stored.filter((id) => id === clientId)).toHaveLength(1);
  expect(endpoint.stored).toHaveLength(2);
  expect(second.contents()).toEqual([]);
});

it('sends what follows when a held message is discarded', async () => {
  const endpoint = fakeSendEndpoint();
  endpoint.outcomes.push(answered);
  const { outbox, entries } = openTab(endpoint, 'a', { initial: withShown });
  outbox.add('u1', 'Satu');
  outbox.add('u1', 'Dua');
  await runPendingTimers();
  outbox.discard(entries()[0]?.client_id ?? '');
  await runPendingTimers();
  expect(endpoint.calls).toEqual(['Satu 0', 'Dua 0']);
  expect(entries()).toEqual([]);
});

it('keeps the text and drops the quote of a message that no longer exists', async () => {
  const endpoint = fakeSendEndpoint();
  const message = 'Pesan yang dikutip sudah tidak ada. Hapus kutipannya lalu kirim lagi.';
  endpoint.outcomes.push(new ApiError('http', { status: 422, message, errors: { reply_to: [message] } }));
  const { outbox, entries } = openTab(endpoint, 'a');
  const quote = { _id: '5', sender_id: 'u1', sender_name: 'Siti', from_admin: false, excerpt: 'Halo' };
  outbox.add('u1', 'Satu', { quote });
  expect(entries()[0]?.quote).toEqual(quote);
  await runPendingTimers();
  expect(entries()[0]).toMatchObject({ content: 'Satu', quote: null, state: 'failed', reason: message });
  outbox.retry(entries()[0]?.client_id ?? '');
  await runPendingTimers();
  expect(endpoint.stored).toHaveLength(1);
});

it('reads the entries of an earlier version, which have no quote', async () => {
  const endpoint = fakeSendEndpoint();
  const old = { client_id: 'lama', user_id: 'u1', content: 'Lama', order: 1, state: 'waiting', attempts: 0 };
  window.localStorage.setItem('pbb-outbox:u1:lama', JSON.stringify(old));
  const { outbox, entries } = openTab(endpoint, 'a');
  expect(entries()[0]).toMatchObject({ content: 'Lama', quote: null, seen_id: null, isHeld: false });
  outbox.flush();
  await vi.advanceTimersByTimeAsync(1000);
  expect(endpoint.stored).toEqual(['lama']);
});
