import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildTestApp } from '#server/testing/test-app.ts';

describe('the watch over a body', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  it('ends when the body has arrived', async () => {
    const test = await buildTestApp();
    const before = vi.getTimerCount();
    await test.call('POST', '/api/auth/login', { body: { email: 'warga@contoh.id', password: 'salah-sekali' } });
    expect(vi.getTimerCount()).toBe(before);
  });

  it('ends with the server for a body that nobody reads', async () => {
    const closed = await buildTestApp();
    await closed.server.close();
    const before = vi.getTimerCount();
    const test = await buildTestApp();
    expect((await test.call('POST', '/api/tax-records', { body: { name: 'Budi' } })).status).toBe(401);
    await test.server.close();
    expect(vi.getTimerCount()).toBe(before);
  });
});
