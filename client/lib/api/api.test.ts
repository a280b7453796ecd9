import { expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import { ApiError, hintOf, messageOf } from './api-error.ts';
import { api } from './api.ts';
import { closeSession, currentSession, openSession } from '../session/session.ts';

async function captureApiError(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The call was expected to fail');
}

it('returns the data of the answer and sends only query values that are not empty', async () => {
  const server = fakeServer();
  server.on('GET /api/admin/tax-records', okAnswer({ a: 1 }));
  expect(
    await api.get('/admin/tax-records', { query: { search: 'a b', page: 2, year: undefined, status: '' } }),
  ).toEqual({
    a: 1,
  });
  expect(server.calls[0]).toMatchObject({ query: { search: 'a b', page: '2' } });
});

it('sends the bearer token only with a session, and a content type only with JSON', async () => {
  const server = fakeServer();
  server.on('PUT /api/auth/user', okAnswer({}));
  server.on('POST /api/tax-records', okAnswer({}));
  await api.put('/auth/user', { body: { name: 'Siti' } });
  signIn();
  await api.postForm('/tax-records', { form: new FormData() });
  const [first, second] = server.calls;
  expect(first?.headers).toEqual({ accept: 'application/json', 'content-type': 'application/json' });
  expect(first?.body).toEqual({ name: 'Siti' });
  expect(second?.headers).toEqual({ accept: 'application/json', authorization: 'Bearer test-token' });
});

it('ends the session after a 401 to a call with a token', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', failAnswer(401, 'Sesi Anda telah berakhir. Silakan login kembali.'));
  signIn();
  const error = await captureApiError(api.get('/auth/user'));
  expect(error.status).toBe(401);
  expect(currentSession()).toBeNull();
  expect(window.localStorage.getItem('token')).toBeNull();
  expect(window.localStorage.getItem('user')).toBeNull();
});

it('does not touch the session after a 401 to a call without a token', async () => {
  const server = fakeServer();
  server.on('POST /api/auth/login', failAnswer(401, 'Email atau password salah'));
  const error = await captureApiError(api.post('/auth/login', { body: { email: '', password: '' } }));
  expect(messageOf(error, 'Login gagal')).toBe('Email atau password salah');
});

it('does not end a newer session after a late 401 of an older one', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', () => {
    closeSession();
    openSession('newer-token', { name: 'Budi', email: 'budi@contoh.id' });
    return failAnswer(401);
  });
  signIn();
  await captureApiError(api.get('/auth/user'));
  expect(currentSession()?.token).toBe('newer-token');
});

it('throws status, message and field errors of a rejection', async () => {
  const server = fakeServer();
  server.on('PUT /api/auth/user', failAnswer(422, 'Nama wajib diisi', { name: ['Nama wajib diisi'] }));
  const error = await captureApiError(api.put('/auth/user', { body: { name: '' } }));
  expect(error).toMatchObject({ kind: 'http', status: 422, errors: { name: ['Nama wajib diisi'] } });
  expect(messageOf(error, 'Gagal')).toBe('Nama wajib diisi');
  expect(hintOf(error)).toBeUndefined();
});

it('treats success: false as a rejection, whatever the status', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', failAnswer(200, 'Tidak jadi'));
  expect(await captureApiError(api.get('/auth/user'))).toMatchObject({ kind: 'http', message: 'Tidak jadi' });
});

it.each([
  ['a page of a proxy', 502, '<html>Bad gateway</html>', 'http'],
  ['an answer without data', 200, { success: true, message: 'x' }, 'format'],
  ['no JSON at all', 200, 'hello', 'format'],
  ['a JSON list', 200, [1], 'format'],
])('uses the fallback text of the caller after %s', async (_name, status, body, kind) => {
  const server = fakeServer();
  server.on('GET /api/auth/user', { status, body });
  const error = await captureApiError(api.get('/auth/user'));
  expect(error).toMatchObject({ kind, status });
  expect(messageOf(error, 'Gagal memuat data PBB')).toBe('Gagal memuat data PBB');
});

it('throws an Indonesian text when there is no connection', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', networkError);
  const error = await captureApiError(api.get('/auth/user'));
  expect(error).toMatchObject({ kind: 'network', status: 0 });
  expect(hintOf(error)).toBe('Tidak dapat terhubung ke server. Periksa koneksi Anda lalu coba lagi.');
  expect(messageOf(error, 'Gagal memuat data PBB')).toBe('Gagal memuat data PBB');
});

it('times out after ten seconds', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on('GET /api/auth/user', neverAnswer);
  let error: ApiError | undefined;
  const call = captureApiError(api.get('/auth/user')).then((failure) => (error = failure));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(error).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await call;
  expect(error).toMatchObject({ kind: 'timeout' });
});

it('rejects an aborted call with AbortError, not with ApiError', async () => {
  const server = fakeServer();
  server.on('GET /api/auth/user', neverAnswer);
  const abort = new AbortController();
  const call = api.get('/auth/user', { signal: abort.signal });
  abort.abort();
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});

it('uploads a form and reports the progress', async () => {
  const server = fakeServer();
  server.on('PUT /api/tax-records/1', okAnswer({ id: '1' }));
  signIn();
  const form = new FormData();
  form.append('name', 'Siti');
  const fractions: number[] = [];
  const record = await api.putForm('/tax-records/{id}', {
    params: { id: '1' },
    form,
    onProgress: (fraction) => fractions.push(fraction),
  });
  expect(record).toEqual({ id: '1' });
  expect(fractions).toEqual([0.5]);
  expect(server.calls[0]).toMatchObject({ body: { name: 'Siti' }, headers: { authorization: 'Bearer test-token' } });
});

it('ends the session after a 401 to an upload, but not after a broken upload', async () => {
  const server = fakeServer();
  server.on('POST /api/tax-records', networkError);
  server.on('POST /api/admin/tax-records', failAnswer(401));
  signIn();
  expect(await captureApiError(api.postForm('/tax-records', { form: new FormData() }))).toMatchObject({
    kind: 'network',
  });
  expect(currentSession()).not.toBeNull();
  expect(await captureApiError(api.postForm('/admin/tax-records', { form: new FormData() }))).toMatchObject({
    status: 401,
  });
  expect(currentSession()).toBeNull();
});

it('times out an upload after ten seconds without progress', async () => {
  vi.useFakeTimers();
  const server = fakeServer();
  server.on('POST /api/tax-records', neverAnswer);
  const call = captureApiError(api.postForm('/tax-records', { form: new FormData() }));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await call).toMatchObject({ kind: 'timeout' });
});

it('encodes path parameters', async () => {
  const server = fakeServer();
  const userId = 'a/b?c=1 &';
  server.on('POST /api/messages/conversation/a%2Fb%3Fc%3D1%20%26/seen', okAnswer({ user_id: userId, unread_count: 0 }));
  await api.post('/messages/conversation/{userId}/seen', { params: { userId } });
  expect(server.calls[0]).toMatchObject({ path: '/api/messages/conversation/a%2Fb%3Fc%3D1%20%26/seen', query: {} });
});

it('compiles only when path, method, parameters, query, body and answer belong together', () => {
  // Never called: this test is for the compiler, which reports an unused @ts-expect-error.
  const compiledOnly = async () => {
    const { total, data } = await api.get('/tax-records', { query: { limit: 5 } });
    const year: number | undefined = data[0]?.year;
    const { total_unread } = await api.getAnswer('/messages/conversations', { query: { all: 1 } });
    await api.delete('/auth/sessions');
    await api.delete('/auth/sessions/{id}', { params: { id: '1' } });
    await api.put('/admin/users/{id}', { params: { id: '1' }, body: { name: 'Siti' } });
    await api.post('/messages/conversation/{userId}/seen', { params: { userId: '1' } });

    // @ts-expect-error There is no such path.
    await api.get('/tax-record');
    // @ts-expect-error The path exists, but not with this method.
    await api.put('/tax-records', { body: {} });
    // @ts-expect-error A path is written with its placeholder.
    await api.get('/tax-records/1', { params: { id: '1' } });
    // @ts-expect-error The parameter is missing.
    await api.get('/tax-records/{id}');
    // @ts-expect-error The parameter has another name.
    await api.get('/tax-records/{id}', { params: { userId: '1' } });
    // @ts-expect-error The path has no parameter.
    await api.get('/tax-records', { params: { id: '1' } });
    // @ts-expect-error The query has no such name.
    await api.get('/tax-records', { query: { search: 'a' } });
    // @ts-expect-error The query value is none of the statuses.
    await api.get('/admin/tax-records', { query: { status: 'paid' } });
    // @ts-expect-error This call takes no query.
    await api.get('/admin/statistics', { query: { page: 1 } });
    // @ts-expect-error The body is missing.
    await api.post('/auth/login');
    // @ts-expect-error A field of the body is missing.
    await api.post('/auth/login', { body: { email: 'a@b.id' } });
    // @ts-expect-error The body belongs to another call.
    await api.put('/auth/user', { body: { email: 'a@b.id', password: 'rahasia' } });
    // @ts-expect-error This call takes no body.
    await api.post('/auth/logout', { body: {} });
    // @ts-expect-error This call takes no form.
    await api.postForm('/auth/login', { form: new FormData() });
    // @ts-expect-error The answer has no such field.
    void (await api.get('/admin/statistics')).overdue;
    return [total, year, total_unread];
  };
  expect(compiledOnly).toBeTypeOf('function');
});
