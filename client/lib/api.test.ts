import { expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import { ApiError, hintOf, messageOf } from './api-error.ts';
import { api } from './api.ts';
import { closeSession, currentSession, openSession } from './session.ts';

async function captureApiError(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The call was expected to fail');
}

it('gives the data of the answer and sends only the query values that say something', async () => {
  const server = fakeServer();
  server.on('GET /api/tax-records', okAnswer({ a: 1 }));
  expect(await api.get('/tax-records', { query: { search: 'a b', page: 2, year: undefined, status: '' } })).toEqual({
    a: 1,
  });
  expect(server.calls[0]).toMatchObject({ query: { search: 'a b', page: '2' } });
});

it('sends the bearer only with a session, JSON as JSON and forms without a content type', async () => {
  const server = fakeServer();
  server.on('POST /api/x', okAnswer({}));
  await api.post('/x', { a: 1 });
  signIn();
  await api.post('/x', new FormData());
  const [first, second] = server.calls;
  expect(first?.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json' });
  expect(first?.body).toEqual({ a: 1 });
  expect(second?.headers).toEqual({ accept: 'application/json', authorization: 'Bearer test-token' });
});

it('ends the session on a 401 to a call with a token, and remembers why and where', async () => {
  const server = fakeServer();
  server.on('GET /api/x', failAnswer(401, 'Sesi Anda telah berakhir. Silakan login kembali.'));
  signIn();
  const error = await captureApiError(api.get('/x'));
  expect(error.status).toBe(401);
  expect(currentSession()).toBeNull();
  expect(window.localStorage.getItem('token')).toBeNull();
  expect(window.localStorage.getItem('user')).toBeNull();
});

it('leaves everything alone on a 401 to a call without a token', async () => {
  const server = fakeServer();
  server.on('POST /api/auth/login', failAnswer(401, 'Email atau password salah'));
  const error = await captureApiError(api.post('/auth/login', {}));
  expect(messageOf(error, 'Login gagal')).toBe('Email atau password salah');
});

it('does not end a newer session for a late 401 of an older one', async () => {
  const server = fakeServer();
  server.on('GET /api/x', () => {
    closeSession();
    openSession('newer-token', { name: 'Budi', email: 'budi@contoh.id' });
    return failAnswer(401);
  });
  signIn();
  await captureApiError(api.get('/x'));
  expect(currentSession()?.token).toBe('newer-token');
});

it('carries status, message and field errors of a refusal', async () => {
  const server = fakeServer();
  server.on('POST /api/x', failAnswer(422, 'Nama wajib diisi', { name: ['Nama wajib diisi'] }));
  const error = await captureApiError(api.post('/x', {}));
  expect(error).toMatchObject({ kind: 'http', status: 422, errors: { name: ['Nama wajib diisi'] } });
  expect(messageOf(error, 'Gagal')).toBe('Nama wajib diisi');
  expect(hintOf(error)).toBeUndefined();
});

it('takes success: false for a refusal whatever the status', async () => {
  const server = fakeServer();
  server.on('GET /api/x', failAnswer(200, 'Tidak jadi'));
  expect(await captureApiError(api.get('/x'))).toMatchObject({ kind: 'http', message: 'Tidak jadi' });
});

it.each([
  ['a page of a proxy', 502, '<html>Bad gateway</html>', 'http'],
  ['an answer without data', 200, { success: true, message: 'x' }, 'format'],
  ['no JSON at all', 200, 'hello', 'format'],
  ['a JSON list', 200, [1], 'format'],
])('falls back on the caller’s text for %s', async (_name, status, body, kind) => {
  const server = fakeServer();
  server.on('GET /api/x', { status, body });
  const error = await captureApiError(api.get('/x'));
  expect(error).toMatchObject({ kind, status });
  expect(messageOf(error, 'Gagal memuat data PBB')).toBe('Gagal memuat data PBB');
});

it('says in Indonesian that there is no connection', async () => {
  const server = fakeServer();
  server.on('GET /api/x', networkError);
  const error = await captureApiError(api.get('/x'));
  expect(error).toMatchObject({ kind: 'network', status: 0 });
  expect(hintOf(error)).toBe('Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.');
  expect(messageOf(error, 'Gagal memuat data PBB')).toBe('Gagal memuat data PBB');
});

it('gives up after ten seconds', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on('GET /api/x', neverAnswer);
  let error: ApiError | undefined;
  const call = captureApiError(api.get('/x')).then((failure) => (error = failure));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await call;
  expect(error).toMatchObject({ kind: 'timeout' });
});

it('lets the caller take a call back without calling that a failure', async () => {
  const server = fakeServer();
  server.on('GET /api/x', neverAnswer);
  const abort = new AbortController();
  const call = api.get('/x', { signal: abort.signal });
  abort.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

it('uploads a form with its progress', async () => {
  const server = fakeServer();
  server.on('PUT /api/tax-records/1', okAnswer({ id: '1' }));
  signIn();
  const form = new FormData();
  form.append('name', 'Siti');
  const shares: number[] = [];
  const record = await api.upload('PUT', '/tax-records/1', form, { onProgress: (share) => shares.push(share) });
  expect(record).toEqual({ id: '1' });
  expect(shares).toEqual([0.5]);
  expect(server.calls[0]).toMatchObject({ body: { name: 'Siti' }, headers: { authorization: 'Bearer test-token' } });
});

it('ends the session on a 401 to an upload too, and tells a broken upload from a refused one', async () => {
  const server = fakeServer();
  server.on('POST /api/a', networkError);
  server.on('POST /api/b', failAnswer(401));
  signIn();
  expect(await captureApiError(api.upload('POST', '/a', new FormData()))).toMatchObject({ kind: 'network' });
  expect(currentSession()).not.toBeNull();
  expect(await captureApiError(api.upload('POST', '/b', new FormData()))).toMatchObject({ status: 401 });
  expect(currentSession()).toBeNull();
});

it('gives an upload up only after ten seconds of silence', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on('POST /api/a', neverAnswer);
  const call = captureApiError(api.upload('POST', '/a', new FormData()));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await call).toMatchObject({ kind: 'timeout' });
});
