import { IDBObjectStore as FakeObjectStore, indexedDB as fakeIndexedDB } from 'fake-indexeddb';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '#client/lib/api/api-error.ts';
import { erasePrivateData } from '#client/lib/session/private-data.ts';
import { listPrivateFiles } from '#client/lib/session/private-files.ts';
import { draftFiles } from '../drafts/draft-files.ts';
import { takeBack } from '../drafts/take-back.ts';
import { forgetLocalFiles } from '../files/local-files.ts';
import { emptyChatState } from '../state/chat-state.ts';
import { CANCELLED_TEXT, findHolding, type OutboxEntry, typedTextOf } from '../state/model/outbox-entry.ts';
import { openOutbox, type OpenOutbox } from '../testing/open-outbox.ts';
import { buildAttachment } from '../testing/build-chat-data.ts';
import { type ChatApi, chatApi } from '../effects/api.ts';
import { hasDrafts, readDraft } from '../drafts/drafts.ts';
// Loaded with the first need, which here comes while the time stands still.
import './uploads.ts';

/** All bytes of a file, which says more than a hash. */
const bytesOf = async (file: File): Promise<string> => new Uint8Array(await file.arrayBuffer()).join(' ');
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const advance = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Lets what depends on timers of the fake database come to its end. */
async function settle<T>(work: Promise<T>): Promise<T> {
  const state = { isDone: false };
  const done = work.finally(() => (state.isDone = true));
  done.catch(() => undefined);
  while (!state.isDone) await advance(1);
  return done;
}

type CallOutcome = { lost: 'no' | 'request' | 'answer'; delayMs: number } | ApiError;
const fine: CallOutcome = { lost: 'no', delayMs: 20 };

/** Answers uploads and messages as the server does (docs/requirements.md R-FILE-32, R-CHAT-5). */
function fakeFileServer(nextOutcome: () => CallOutcome = () => fine) {
  const state = { isOnline: true };
  const unsent = new Map<string, { id: string; bytes: string }>();
  const sent: { clientId: string; content: string; files: string[] }[] = [];
  const uploads: string[] = [];
  let lastId = 0;

  async function call<T>(signal: AbortSignal | null, answer: () => T, onHalf = () => {}): Promise<T> {
    const outcome = nextOutcome();
    if (outcome instanceof ApiError) throw outcome;
    const { delayMs, lost } = outcome;
    const aborted = (): void => {
      if (signal?.aborted) throw new DOMException('Aborted', 'AbortError');
      if (!state.isOnline) throw new ApiError('network');
    };
    aborted();
    await wait(delayMs / 2);
    aborted();
    onHalf();
    await wait(delayMs / 2);
    aborted();
    if (lost === 'request') throw new ApiError('network');
    const value = answer();
    if (lost === 'answer') throw new ApiError('network');
    return value;
  }

  const api: Pick<ChatApi, 'uploadAttachment' | 'removeUpload'> = {
    removeUpload: (id) =>
      call(null, () => {
        const [clientId] = [...unsent].find(([, file]) => file.id === id) ?? [];
        if (clientId === undefined) throw new ApiError('http', { status: 404 });
        unsent.delete(clientId);
        return {};
      }),
    uploadAttachment: async (form, { signal, onProgress }) => {
      const file = form.get('file');
      const clientId = form.get('client_id');
      if (!(file instanceof File) || typeof clientId !== 'string') throw new Error('Not an upload');
      const bytes = await bytesOf(file);
      return call(
        signal,
        () => {
          const known = unsent.get(clientId) ?? { id: `f${(lastId += 1)}`, bytes };
          unsent.set(clientId, known);
          uploads.push(known.id);
          const { id } = known;
          return buildAttachment({ id, name: file.name });
        },
        () => onProgress(0.5),
      );
    },
  };

  const sendMessage = ({ entry }: { entry: OutboxEntry }): Promise<void> =>
    call(null, () => {
      if (sent.some(({ clientId }) => clientId === entry.client_id)) return;
      const files = entry.files.map(({ uploadedId }) => {
        const [clientId, file] = [...unsent].find(([, { id }]) => id === uploadedId) ?? [];
        if (!file || clientId === undefined) throw new ApiError('http', { status: 404, message: 'Berkas tidak ada' });
        return { clientId, bytes: file.bytes };
      });
      for (const { clientId } of files) unsent.delete(clientId);
      sent.push({ clientId: entry.client_id, content: entry.content, files: files.map(({ bytes }) => bytes) });
    });

  return { state, unsent, sent, uploads, api, sendMessage };
}

const openOutboxes = new Set<OpenOutbox>();

function openTab(server: ReturnType<typeof fakeFileServer>, tabId: string) {
  const shown = { u1: { atBottom: false, upTo: 7 } };
  const initial = { reading: { ...emptyChatState.reading, shown } };
  const outbox = openOutbox({ tabId, send: server.sendMessage, api: server.api, initial });
  openOutboxes.add(outbox);
  return {
    outbox,
    entries: outbox.entries,
    first: (): OutboxEntry => {
      const [entry] = outbox.entries();
      if (!entry) throw new Error('Nothing is unsent');
      return entry;
    },
    progress: outbox.progress,
    close(): void {
      openOutboxes.delete(outbox);
      outbox.stop();
    },
  };
}

const draft = draftFiles('u1', 'u1');
const toOtherTabs = (): void => void window.dispatchEvent(new StorageEvent('storage', { key: null }));

function buildPhoto(seed: number, name = `foto ${seed}.jpg`): File {
  return new File([Uint8Array.from({ length: 500 + seed }, (_, index) => (index * seed) % 251)], name, {
    type: 'image/jpeg',
  });
}

async function choose(...files: File[]): Promise<void> {
  for (const file of files) {
    await settle(draft.add({ file, thumb: new Blob(['kecil']), width: 4, height: 3 }));
  }
}

/** As the field does it: into the outbox first, then out of the draft. */
function send(tab: ReturnType<typeof openTab>, text: string): void {
  tab.outbox.add('u1', text, { files: draft.list() });
  draft.take();
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', fakeIndexedDB);
  vi.useFakeTimers({ now: Date.UTC(2026, 7, 3) });
});

afterEach(async () => {
  closeAll();
  for (const accountId of ['u1', 'u2', 'u3']) erasePrivateData({ id: accountId, email: '' });
  // A transaction that is open when the timers are real again would stay open for ever.
  await advance(100);
});

function closeAll(): void {
  for (const outbox of openOutboxes) outbox.stop();
  openOutboxes.clear();
}

it('keeps the files of a draft over a reload, and shows, uploads, sends and forgets them', async () => {
  const server = fakeFileServer();
  const [one, two] = [buildPhoto(1), buildPhoto(2, 'kedua.jpg')];
  await choose(one, two);
  expect(hasDrafts('u1')).toBe(true);
  forgetLocalFiles();
  expect(draft.list()).toMatchObject([
    { name: 'foto 1.jpg', type: 'image/jpeg', bytes: 501, width: 4, height: 3, hasThumb: true, isKept: true },
    { name: 'kedua.jpg' },
  ]);
  const tab = openTab(server, 'a');
  send(tab, 'Ini buktinya');
  tab.outbox.add('u1', 'Sudah masuk?');
  expect(hasDrafts('u1')).toBe(false);
  expect(tab.first().content).toBe('Ini buktinya\nFoto: foto 1.jpg\nFoto: kedua.jpg');
  expect(typedTextOf(tab.first())).toBe('Ini buktinya');
  const [, behind] = tab.entries();
  expect(behind && findHolding(tab.entries(), behind)).toEqual(tab.first());

  const shown = new Set<string>();
  while (tab.entries().length > 0) {
    for (const progress of tab.progress()) shown.add(JSON.stringify(progress));
    await advance(1);
  }
  expect([...shown].map((text) => JSON.parse(text))).toEqual([
    { kind: 'uploading', percent: 0 },
    { kind: 'uploading', percent: 25 },
    { kind: 'uploading', percent: 50 },
    { kind: 'uploading', percent: 75 },
    { kind: 'sending' },
  ]);
  expect(server.sent).toMatchObject([
    { files: [await bytesOf(one), await bytesOf(two)] },
    { content: 'Sudah masuk?', files: [] },
  ]);
  expect(tab.progress()).toEqual([]);
  expect(await settle(listPrivateFiles())).toEqual([]);
  expect(window.localStorage).toHaveLength(0);
});

it('goes on with the file that is missing after a break, an hour and a reload', async () => {
  const outcomes: CallOutcome[] = [fine, { lost: 'answer', delayMs: 20 }];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  await choose(buildPhoto(1), buildPhoto(2));
  const before = openTab(server, 'a');
  send(before, '');
  await advance(100);
  expect(before.first().files.map(({ uploadedId }) => uploadedId)).toEqual(['f1', null]);
  server.state.isOnline = false;
  await advance(3_600_000);
  before.close();
  forgetLocalFiles();
  server.state.isOnline = true;
  const after = openTab(server, 'b');
  after.outbox.flush();
  await advance(1000);
  expect(server.uploads).toEqual(['f1', 'f2', 'f2']);
  expect(server.sent).toMatchObject([{ files: [await bytesOf(buildPhoto(1)), await bytesOf(buildPhoto(2))] }]);
});

it('leaves a message as it is when its page goes away before a refusal arrives', async () => {
  const outcomes: CallOutcome[] = [fine, { lost: 'no', delayMs: 500 }];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  await choose(buildPhoto(1));
  const before = openTab(server, 'a');
  send(before, 'Satu');
  before.outbox.add('u1', 'Dua');
  await advance(100);
  server.unsent.clear();
  before.close();
  forgetLocalFiles();
  await advance(1000);
  const after = openTab(server, 'b');
  expect(after.first()).toMatchObject({ state: 'waiting', reason: '' });
  after.outbox.flush();
  await advance(1000);
  expect(server.sent.map(({ content }) => content)).toEqual(['Satu\nFoto: foto 1.jpg', 'Dua']);
});

it('uploads once more what the server has removed as unsent, and refuses what it refuses anyway', async () => {
  const outcomes: CallOutcome[] = [fine, new ApiError('http', { status: 503 })];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  await choose(buildPhoto(1));
  const tab = openTab(server, 'a');
  send(tab, '');
  await advance(50);
  expect(tab.first()).toMatchObject({ serverError: true, files: [{ uploadedId: 'f1' }] });
  server.unsent.clear();
  await advance(2000);
  expect(server.sent).toHaveLength(1);
  expect(server.uploads).toEqual(['f1', 'f2']);

  await choose(buildPhoto(2));
  const refusal = new ApiError('http', { status: 404, message: 'Data PBB tidak ditemukan' });
  outcomes.push(fine, refusal, fine, refusal, fine);
  send(tab, 'Untuk data ini');
  await advance(200);
  expect(tab.first()).toMatchObject({ state: 'failed', reason: 'Data PBB tidak ditemukan' });
  tab.outbox.retry(tab.first().client_id);
  await advance(200);
  expect(tab.first()).toMatchObject({ state: 'failed', reason: 'Data PBB tidak ditemukan' });
});

it.each([
  [413, 'File terlalu besar'],
  [415, 'File harus berupa gambar JPG, PNG, GIF, WebP atau dokumen PDF'],
  [422, 'Ruang foto bukti Anda penuh (300 MB).'],
  [409, 'Bentrok'],
])('keeps everything after %i of an upload, to be changed and sent again', async (status, message) => {
  const outcomes: CallOutcome[] = [fine, new ApiError('http', { status, message })];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  await choose(buildPhoto(1), buildPhoto(2, 'salah.jpg'));
  const tab = openTab(server, 'a');
  tab.outbox.add('u1', 'Bukti', { files: draft.take() });
  tab.outbox.add('u1', 'Halo');
  await advance(200);
  expect(server.sent).toMatchObject([{ content: 'Halo' }]);
  const isAboutFile = status !== 409;
  const [right, wrong] = tab.first().files;
  expect(tab.entries()).toMatchObject([
    {
      state: 'failed',
      isHeld: false,
      reason: isAboutFile ? `“salah.jpg” ditolak. ${message}` : message,
      refusedFileId: isAboutFile ? wrong?.id : null,
      files: [{}, {}],
    },
  ]);
  if (isAboutFile) {
    // The other one does not help: only without the refused one it goes on, by itself.
    expect(right).toMatchObject({ uploadedId: 'f1' });
    tab.outbox.removeFile(tab.first().client_id, wrong?.id ?? '');
    expect(tab.first()).toMatchObject({ state: 'waiting', reason: '', refusedFileId: null });
    await advance(200);
    expect(tab.entries()).toEqual([]);
    expect(server.sent[1]).toMatchObject({ content: 'Bukti\nFoto: foto 1.jpg', files: [{}] });
    return;
  }

  tab.outbox.removeFile(tab.first().client_id, wrong?.id ?? '');
  expect(tab.first()).toMatchObject({ content: 'Bukti\nFoto: foto 1.jpg', files: [{ name: 'foto 1.jpg' }] });
  const currentUser = { side: 'user', id: 'u1', name: 'Siti' } as const;
  takeBack({ currentUser, discard: (clientId, options) => tab.outbox.discard(clientId, options) }, tab.first());
  expect([readDraft('u1', 'u1'), draft.list().map(({ name }) => name)]).toEqual(['Bukti', ['foto 1.jpg']]);
  expect(tab.entries()).toEqual([]);
  send(tab, 'Bukti baru');
  await advance(200);
  expect(server.sent[1]).toMatchObject({
    content: 'Bukti baru\nFoto: foto 1.jpg',
    files: [await bytesOf(buildPhoto(1))],
  });
});

it('can be cancelled while it uploads, sends what follows, and is sent or discarded later', async () => {
  const server = fakeFileServer();
  await choose(buildPhoto(1));
  const tab = openTab(server, 'a');
  const other = openTab(server, 'b');
  send(tab, 'Satu');
  tab.outbox.add('u1', 'Dua');
  await advance(5);
  toOtherTabs();
  // Also from the other tab.
  other.outbox.cancelUpload(other.first().client_id);
  toOtherTabs();
  await advance(500);
  expect(tab.entries()).toMatchObject([{ state: 'failed', reason: CANCELLED_TEXT }]);
  expect([server.uploads, server.sent.map(({ content }) => content)]).toEqual([[], ['Dua']]);
  tab.outbox.retry(tab.first().client_id);
  await advance(100);
  expect(server.sent).toHaveLength(2);

  await choose(buildPhoto(2));
  server.state.isOnline = false;
  send(tab, '');
  await advance(50);
  tab.outbox.discard(tab.first().client_id);
  expect(await settle(listPrivateFiles())).toEqual([]);
});

it('removes from the server what was uploaded and is discarded, taken out, or dropped from the draft it came back to', async () => {
  const refusal = new ApiError('http', { status: 422, message: 'Ruang foto bukti Anda penuh (300 MB).' });
  const outcomes: CallOutcome[] = [fine, fine, refusal];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  const left = (): string[] => [...server.unsent.values()].map(({ id }) => id);
  const tab = openTab(server, 'a');
  await choose(buildPhoto(1), buildPhoto(2), buildPhoto(3));
  send(tab, '');
  await advance(200);
  expect([tab.first().state, left()]).toEqual(['failed', ['f1', 'f2']]);
  tab.outbox.removeFile(tab.first().client_id, tab.first().files[0]?.id ?? '');
  await advance(50);
  expect(left()).toEqual(['f2']);

  // Back in the draft it is uploaded still; dropped from there it is not.
  const removeUpload = vi.spyOn(chatApi, 'removeUpload').mockImplementation(server.api.removeUpload);
  const currentUser = { side: 'user', id: 'u1', name: 'Siti' } as const;
  takeBack({ currentUser, discard: (clientId, options) => tab.outbox.discard(clientId, options) }, tab.first());
  await advance(50);
  expect(left()).toEqual(['f2']);
  for (const { id } of draft.list()) draft.remove(id);
  await advance(50);
  expect(left()).toEqual([]);
  removeUpload.mockRestore();

  outcomes.push(fine, refusal);
  await choose(buildPhoto(4), buildPhoto(5));
  send(tab, '');
  await advance(200);
  expect(left()).toEqual(['f3']);
  // No answer to the removal: nothing is said, and nothing waits.
  outcomes.push(new ApiError('network'));
  tab.outbox.discard(tab.first().client_id);
  await advance(50);
  expect([tab.entries(), left()]).toEqual([[], ['f3']]);
});

it('begins anew what hangs on a connection that is gone, and renews its claim while it uploads', async () => {
  let isSlow = true;
  const server = fakeFileServer(() => ({ lost: 'no', delayMs: isSlow ? 60_000 : 20 }));
  await choose(buildPhoto(1));
  const tab = openTab(server, 'a');
  const other = openTab(server, 'b');
  send(tab, '');
  for (let second = 0; second < 40; second += 1) {
    await advance(1000);
    toOtherTabs();
    other.outbox.flush();
  }
  expect(tab.first()).toMatchObject({ attempts: 1, busyBy: 'a' });
  isSlow = false;
  tab.outbox.flush();
  await advance(32_000);
  expect(server.sent).toHaveLength(1);
});

it('waits between the attempts to upload a file, also when two tabs take turns', async () => {
  const server = fakeFileServer(() => new ApiError('http', { status: 503 }));
  const upload = vi.spyOn(server.api, 'uploadAttachment');
  await choose(buildPhoto(1));
  const tab = openTab(server, 'a');
  openTab(server, 'b');
  send(tab, '');
  for (let tenths = 0; tenths < 100; tenths += 1) {
    toOtherTabs();
    await advance(100);
  }
  expect(upload.mock.calls.length).toBeLessThan(8);
  expect(upload.mock.calls.length).toBeGreaterThan(2);
});

it('waits at a logout as long as an upload moves, and no longer', async () => {
  const slow = (delayMs: number): CallOutcome => ({ lost: 'no', delayMs });
  const outcomes: CallOutcome[] = [slow(15_000), slow(15_000), fine, slow(30_000)];
  const server = fakeFileServer(() => outcomes.shift() ?? fine);
  await choose(buildPhoto(1), buildPhoto(2));
  const tab = openTab(server, 'a');
  send(tab, '');
  const moving = tab.outbox.sendAll();
  await advance(31_000);
  expect(await moving).toBe(true);

  await choose(buildPhoto(3));
  send(tab, '');
  const hanging = tab.outbox.sendAll();
  await advance(13_000);
  expect(await hanging).toBe(false);
  expect(tab.entries()).toHaveLength(1);
});

it('sends a file that could not be stored while the page lives, and says so when it is gone', async () => {
  const put = vi.spyOn(FakeObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  const server = fakeFileServer();
  server.state.isOnline = false;
  await choose(buildPhoto(1));
  expect(draft.list()).toMatchObject([{ isKept: false }]);
  const tab = openTab(server, 'a');
  send(tab, 'Bukti');
  const other = openTab(server, 'b');
  await advance(60_000);
  expect(tab.first()).toMatchObject({ state: 'waiting', busyBy: 'a' });
  other.close();
  tab.close();
  forgetLocalFiles();
  server.state.isOnline = true;
  const after = openTab(server, 'c');
  after.outbox.flush();
  await advance(20_000);
  expect(after.first()).toMatchObject({
    state: 'failed',
    reason: 'foto 1.jpg tidak ada lagi di perangkat ini. Pilih berkasnya sekali lagi.',
  });
  expect(typedTextOf(after.first())).toBe('Bukti');
  put.mockRestore();
});

it('hides a message with files, and those written after it, from the code of an earlier version', async () => {
  const server = fakeFileServer();
  server.state.isOnline = false;
  const tab = openTab(server, 'a');
  tab.outbox.add('u1', 'Sebelumnya');
  await choose(buildPhoto(1));
  send(tab, '');
  tab.outbox.add('u1', 'Sesudahnya');
  const old = Object.keys(window.localStorage).filter((key) => key.startsWith('pbb-outbox:u1:'));
  expect(old.map((key) => JSON.parse(window.localStorage.getItem(key) ?? '').content)).toEqual(['Sebelumnya']);
  expect(tab.entries()).toHaveLength(3);
});

it('leaves no file at a logout, keeps those of others, and sweeps what nothing names', async () => {
  const server = fakeFileServer();
  await choose(buildPhoto(1));
  await settle(draftFiles('u2', 'u2').add({ file: buildPhoto(2), thumb: null, width: 1, height: 1 }));
  await settle(draftFiles('u3', 'u3').add({ file: buildPhoto(3), thumb: null, width: 1, height: 1 }));
  // A crash between the bytes and the list.
  draftFiles('u3', 'u3').take();
  forgetLocalFiles();
  erasePrivateData({ id: 'u1', email: 'siti@contoh.id' });
  await advance(100);
  const accounts = async () => (await settle(listPrivateFiles())).map(({ accountId }) => accountId).toSorted();
  expect(await accounts()).toEqual(['u2', 'u3']);
  expect(draft.list()).toEqual([]);
  openTab(server, 'a');
  await advance(30_000);
  expect(await accounts()).toEqual(['u2', 'u3']);
  await advance(50_000);
  expect(await accounts()).toEqual(['u2']);
});

type Step = {
  kind: 'text' | 'photos' | 'reload' | 'tab' | 'offline' | 'online' | 'expire' | 'cancel' | 'retry';
  waitMs: number;
};

const outcomeArbitrary: fc.Arbitrary<CallOutcome> = fc.record({
  // 30 % lose the answer, 10 % the request.
  lost: fc.constantFrom('no', 'no', 'no', 'no', 'no', 'no', 'answer', 'answer', 'answer', 'request'),
  delayMs: fc.nat(4000),
});
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    ...(['text', 'photos', 'photos', 'photos', 'reload', 'reload', 'tab', 'offline', 'online', 'online'] as const),
    ...(['expire', 'cancel', 'retry'] as const),
  ),
  waitMs: fc.nat(3000),
});

/** One tab sends a message again while the other one still waits for the answer to its own attempt. */
const sentAgainBesideAnotherTab: [Step[], CallOutcome[]] = [
  [
    { kind: 'online', waitMs: 2802 },
    { kind: 'photos', waitMs: 1303 },
    { kind: 'photos', waitMs: 2791 },
    { kind: 'cancel', waitMs: 307 },
    { kind: 'reload', waitMs: 2924 },
    { kind: 'tab', waitMs: 1605 },
    { kind: 'online', waitMs: 1105 },
    { kind: 'reload', waitMs: 2043 },
    { kind: 'expire', waitMs: 386 },
    { kind: 'cancel', waitMs: 952 },
  ],
  [
    { lost: 'no', delayMs: 3235 },
    { lost: 'no', delayMs: 2257 },
    { lost: 'no', delayMs: 2263 },
    { lost: 'no', delayMs: 2916 },
    { lost: 'no', delayMs: 667 },
    { lost: 'no', delayMs: 3662 },
    { lost: 'no', delayMs: 3896 },
    { lost: 'no', delayMs: 3392 },
    { lost: 'no', delayMs: 2688 },
    { lost: 'request', delayMs: 1047 },
    { lost: 'request', delayMs: 3809 },
    { lost: 'no', delayMs: 2205 },
    { lost: 'no', delayMs: 272 },
    { lost: 'no', delayMs: 3908 },
  ],
];

it('stores every message once, in order, with the same bytes, whatever the network, the tabs and the user do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 3, maxLength: 20 }),
      fc.array(outcomeArbitrary, { minLength: 5, maxLength: 20 }),
      async (steps, outcomes) => {
        closeAll();
        window.localStorage.clear();
        erasePrivateData({ id: 'u1', email: '' });
        await advance(100);
        let calls = 0;
        let isStable = false;
        let hasExpired = false;
        const server = fakeFileServer(() => (isStable ? fine : (outcomes[(calls += 1) % outcomes.length] ?? fine)));
        let tabCount = 0;
        const open = () => openTab(server, `tab ${(tabCount += 1)}`);
        let tabs = [open()];
        const written: { content: string; files: string[] }[] = [];
        const outOfOrder = new Set<string>();

        for (const { kind, waitMs } of steps) {
          const [tab] = tabs;
          if (!tab) throw new Error('No tab');
          if (kind === 'text' || kind === 'photos') {
            const files = Array.from({ length: kind === 'text' ? 0 : 1 + (waitMs % 3) }, (_, index) =>
              buildPhoto(written.length * 4 + index + 1),
            );
            await choose(...files);
            send(tab, `pesan ${written.length}`);
            const content = tab.entries().at(-1)?.content ?? '';
            written.push({ content, files: await Promise.all(files.map(bytesOf)) });
          }
          if (kind === 'reload') {
            tab.close();
            forgetLocalFiles();
            tabs = [open(), ...tabs.slice(1)];
          }
          if (kind === 'tab') {
            if (tabs.length > 1) tabs.pop()?.close();
            else tabs.push(open());
          }
          if (kind === 'offline') server.state.isOnline = false;
          if (kind === 'online') {
            server.state.isOnline = true;
            for (const { outbox } of tabs) outbox.flush();
          }
          // Once: a day passes between two sweeps of the server.
          if (kind === 'expire' && !hasExpired) {
            hasExpired = true;
            server.unsent.clear();
          }
          const uploading = tab.entries().find(({ files, state }) => files.length > 0 && state === 'waiting');
          if (kind === 'cancel' && uploading) {
            tab.outbox.cancelUpload(uploading.client_id);
            outOfOrder.add(uploading.content);
          }
          if (kind === 'retry') for (const { client_id } of tab.entries()) tab.outbox.retry(client_id);
          toOtherTabs();
          await advance(waitMs);
        }

        isStable = true;
        server.state.isOnline = true;
        const [tab] = tabs;
        tab?.outbox.flush();
        for (const { client_id, state } of tab?.entries() ?? []) if (state === 'failed') tab?.outbox.retry(client_id);
        for (let left = 120; left > 0 && (tab?.entries().length ?? 0) > 0; left -= 1) {
          await advance(1000);
          toOtherTabs();
        }

        const stored = server.sent.map(({ content, files }) => ({ content, files }));
        const inOrder = ({ content }: { content: string }): boolean => !outOfOrder.has(content);
        expect(stored.filter(inOrder)).toEqual(written.filter(inOrder));
        const byContent = (a: { content: string }, b: { content: string }): number => (a.content < b.content ? -1 : 1);
        expect(stored.toSorted(byContent)).toEqual(written.toSorted(byContent));
        closeAll();
        expect(await settle(listPrivateFiles())).toEqual([]);
      },
    ),
    { numRuns: 50, examples: [sentAgainBesideAnotherTab] },
  );
});
