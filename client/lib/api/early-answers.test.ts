import { beforeEach, expect, it, vi } from 'vitest';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { signIn } from '#client/testing/render.tsx';
import { ApiError } from './api-error.ts';
import { api } from './api.ts';
import { currentSession } from '../session/session.ts';

const USER_URL = '/api/auth/user';
let server: ReturnType<typeof fakeServer>;
let abort: () => void;

const answerOf = (status: number, body: unknown): Promise<Response> =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

/** Leaves an answer as `boot.js` does. */
function leaveEarlyAnswer(answer: Promise<Response>, { token = 'test-token', ageMs = 0 } = {}): void {
  answer.catch(() => {});
  const askedAtMs = performance.now() - ageMs;
  vi.stubGlobal('pbbEarlyAnswers', { token, askedAtMs, answers: new Map([[USER_URL, { answer, abort }]]) });
}

beforeEach(() => {
  signIn();
  abort = vi.fn();
  server = fakeServer();
  server.on('GET /api/auth/user', okAnswer({ name: 'from the call' }));
  server.on('POST /api/auth/logout', okAnswer({}));
});

it('gives an answer that was asked for early once, without a second call', async () => {
  leaveEarlyAnswer(answerOf(200, { success: true, data: { name: 'early' } }));
  expect(await api.get('/auth/user')).toEqual({ name: 'early' });
  expect(server.calls).toEqual([]);
  expect(await api.get('/auth/user')).toEqual({ name: 'from the call' });
});

it('does not give the answer of one account to another', async () => {
  leaveEarlyAnswer(answerOf(200, { success: true, data: { name: 'early' } }), { token: 'token of another tab' });
  expect(await api.get('/auth/user')).toEqual({ name: 'from the call' });
});

it('does not give an answer that is half a minute old', async () => {
  leaveEarlyAnswer(answerOf(200, { success: true, data: { name: 'early' } }), { ageMs: 31_000 });
  expect(await api.get('/auth/user')).toEqual({ name: 'from the call' });
});

it('repeats an early call that got no answer', async () => {
  leaveEarlyAnswer(Promise.reject(new TypeError('Failed to fetch')));
  expect(await api.get('/auth/user')).toEqual({ name: 'from the call' });
});

it('drops the early answers at the first change', async () => {
  leaveEarlyAnswer(answerOf(200, { success: true, data: { name: 'early' } }));
  await api.post('/auth/logout');
  expect(await api.get('/auth/user')).toEqual({ name: 'from the call' });
});

it('ends the session when an early answer says so', async () => {
  leaveEarlyAnswer(answerOf(401, { success: false, message: 'Sesi Anda telah berakhir. Silakan login kembali.' }));
  await expect(api.get('/auth/user')).rejects.toThrow(ApiError);
  expect(currentSession()).toBeNull();
});

it('aborts an early call with the page that asked for it', async () => {
  leaveEarlyAnswer(new Promise(() => {}));
  const controller = new AbortController();
  api.get('/auth/user', { signal: controller.signal }).catch(() => {});
  expect(abort).not.toHaveBeenCalled();
  controller.abort();
  expect(abort).toHaveBeenCalledTimes(1);
});
