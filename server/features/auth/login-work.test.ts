import { argon2 } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { hashPassword } from '#server/accounts/passwords.ts';
import { buildTestUser } from '#server/testing/factories.ts';
import { buildTestApp } from '#server/testing/test-app.ts';

vi.mock(import('node:crypto'), async (importOriginal) => {
  const crypto = await importOriginal();
  return { ...crypto, argon2: vi.fn(crypto.argon2) };
});

/** The cost of every hash since the last call. The message and the salt do not change how long a hash takes. */
function readHashCosts(): unknown[] {
  const calls = vi.mocked(argon2).mock.calls.map(([algorithm, { memory, passes, parallelism, tagLength }]) => ({
    algorithm,
    memory,
    passes,
    parallelism,
    tagLength,
  }));
  vi.mocked(argon2).mockClear();
  return calls;
}

// A measured time depends on the load of the computer. The hash takes nearly all of the time, so its work is compared.
it('does the same work and gives the same answer for an unknown address as for a wrong password', async () => {
  const test = await buildTestApp();
  buildTestUser(test, { email: 'ada@contoh.id', passwordHash: await hashPassword('rahasia-1') });
  readHashCosts();
  const tryLogin = async (email: string): Promise<unknown[]> => {
    const answer = await test.call('POST', '/api/auth/login', { body: { email, password: 'salah-sekali' } });
    expect(answer).toMatchObject({
      status: 401,
      body: { success: false, message: 'Email atau password salah' },
    });
    return readHashCosts();
  };
  const known = await tryLogin('ada@contoh.id');
  const unknown = await tryLogin('tidak-ada@contoh.id');
  expect(known).toHaveLength(1);
  expect(unknown).toEqual(known);
});
