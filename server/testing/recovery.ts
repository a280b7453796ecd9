import { expect } from 'vitest';
import type { SignedInUser } from './factories.ts';
import type { Answer, TestApp } from './test-app.ts';

/** Ways back into an account, as the office and its user go them. */

export const NEW_PASSWORD = { password: 'rahasia-baru', password_confirmation: 'rahasia-baru' };

export const askForCode = (test: TestApp, admin: SignedInUser, userId: string, body: object = {}): Promise<Answer> =>
  test.call('POST', `/api/admin/users/${userId}/recovery-code`, {
    token: admin.token,
    body: { checked: 'counter', ...body },
  });

/** @returns the code that the office reads out */
export async function makeCodeFor(test: TestApp, admin: SignedInUser, userId: string, body: object = {}) {
  const answer = await askForCode(test, admin, userId, body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body.data as { code: string }).code;
}

/** @param remoteAddress wrong codes count for their address */
export async function complete(test: TestApp, code: unknown, remoteAddress = '10.0.0.1', body: object = NEW_PASSWORD) {
  const response = await test.server.inject({
    method: 'POST',
    url: '/api/auth/recovery/complete',
    payload: { code, ...body },
    remoteAddress,
  });
  return { status: response.statusCode, body: response.json<Answer['body']>() };
}
