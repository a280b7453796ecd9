import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';
import { registerBodyProgress, WINDOW_MS } from './body-progress.ts';

describe('the watch over a body', () => {
  let app: FastifyInstance;
  let setTimer: MockInstance<typeof setInterval>;
  let clearTimer: MockInstance<typeof clearInterval>;

  beforeEach(() => {
    app = fastify();
    registerBodyProgress(app);
    app.post('/read', async () => 'read');
    app.post('/unread', { onRequest: async (_request, reply) => reply.code(401).send('not read') }, async () => 'read');
    setTimer = vi.spyOn(globalThis, 'setInterval');
    clearTimer = vi.spyOn(globalThis, 'clearInterval');
  });
  afterEach(() => void vi.restoreAllMocks());

  /** Whether each watch has ended that was begun. Other timers of the process have other periods. */
  function watchesEnded(): boolean[] {
    const cleared = new Set(clearTimer.mock.calls.map(([timer]) => timer));
    return setTimer.mock.calls.flatMap(([, period], at) =>
      period === WINDOW_MS ? [cleared.has(setTimer.mock.results[at]?.value as NodeJS.Timeout)] : [],
    );
  }

  it('ends when the body has arrived', async () => {
    expect((await app.inject({ method: 'POST', url: '/read', payload: { name: 'Budi' } })).statusCode).toBe(200);
    expect(watchesEnded()).toEqual([true]);
    await app.close();
  });

  it('ends with the server for a body that nobody reads', async () => {
    expect((await app.inject({ method: 'POST', url: '/unread', payload: { name: 'Budi' } })).statusCode).toBe(401);
    await app.close();
    expect(watchesEnded()).toEqual([true]);
  });
});
