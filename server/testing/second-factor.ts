import { TOTP, Secret } from 'otpauth';
import { expect } from 'vitest';
import type { SignedInUser } from './factories.ts';
import type { Answer, TestApp } from './test-app.ts';

/** Second factors, as their owners set them up and use them. */

export type Factor = { secret: string; spareCodes: string[] };
export const USER_PASSWORD = 'rahasia-1';

/** The code that the app shows, so many steps of 30 seconds from now. */
export const codeOf = (test: TestApp, { secret }: { secret: string }, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: test.clock.now() + steps * 30_000 });

/** A code of six digits that is wrong now. */
export function wrongCodeOf(test: TestApp, factor: { secret: string }): string {
  const near = [-2, -1, 0, 1, 2].map((steps) => codeOf(test, factor, steps));
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.includes(code)) ?? '';
}

export async function startFactor(test: TestApp, { token }: { token: string }, body: object): Promise<Answer> {
  return test.call('POST', '/api/auth/second-factor', { token, body });
}

export const confirmFactor = (test: TestApp, { token }: { token: string }, code: string): Promise<Answer> =>
  test.call('POST', '/api/auth/second-factor/confirm', { token, body: { code } });

/** Sets a second factor up, as the account page does. The clock goes on, so that the next code is a new one. */
export async function giveFactor(
  test: TestApp,
  user: { token: string },
  password = USER_PASSWORD,
  more: object = {},
): Promise<Factor> {
  const started = await startFactor(test, user, { current_password: password, ...more });
  expect(started).toMatchObject({ status: 200 });
  const { secret } = started.body.data as { secret: string };
  const confirmed = await confirmFactor(test, user, codeOf(test, { secret }));
  expect(confirmed).toMatchObject({ status: 200 });
  test.clock.advance(60_000);
  return { secret, spareCodes: (confirmed.body.data as { recovery_codes: string[] }).recovery_codes };
}

export const login = (test: TestApp, { email }: { email: string }, password = USER_PASSWORD): Promise<Answer> =>
  test.call('POST', '/api/auth/login', { body: { email, password } });

/** The ticket of a way in, which gives no session. */
export function ticketOf(answer: { status: number; body: unknown }): string {
  expect(answer).toMatchObject({ status: 200, body: { data: { second_factor: true } } });
  const { data } = answer.body as { data: Record<string, unknown> };
  expect(Object.keys(data).toSorted()).toEqual(['second_factor', 'ticket']);
  return String(data['ticket']);
}

export const finish = (test: TestApp, ticket: string, code: string, more: object = {}): Promise<Answer> =>
  test.call('POST', '/api/auth/login/second-factor', { body: { ticket, code, ...more } });

export const removeFactor = (test: TestApp, { token }: SignedInUser, id: string, body: object = {}): Promise<Answer> =>
  test.call('DELETE', `/api/admin/users/${id}/second-factor`, { token, body: { checked: 'counter', ...body } });
