import { expect } from 'vitest';
import type { MadeCard } from '#shared/api/cards.ts';
import type { SignedInUser } from './factories.ts';
import type { Answer, TestApp } from './test-app.ts';

/** Cards, as the office makes them and their holders use them. */

export const PIN = '402918';
export const OTHER_PIN = '715203';

export const askForCard = (test: TestApp, admin: SignedInUser, userId: string, body: object = {}): Promise<Answer> =>
  test.call('POST', `/api/admin/users/${userId}/card`, { token: admin.token, body });

export async function makeCardFor(test: TestApp, admin: SignedInUser, userId: string): Promise<MadeCard> {
  const answer = await askForCard(test, admin, userId);
  expect(answer).toMatchObject({ status: 201 });
  return answer.body.data;
}

type EntryAnswer = {
  message: string;
  errors?: Record<string, string[]>;
  data: { token: string; device_token: string };
};
type Entry = { code: string; pin?: string; device_token?: string };

/** @param remoteAddress wrong tries count for their address too */
export function enter(test: TestApp, { code, pin = PIN, ...others }: Entry, remoteAddress = '10.0.0.1') {
  return post(test, '/api/auth/card', { code, pin, ...others }, remoteAddress);
}

export function activate(
  test: TestApp,
  { code, activation }: Pick<MadeCard, 'code' | 'activation'>,
  { pin = PIN, address = '10.0.0.1' } = {},
) {
  return post(test, '/api/auth/card/activate', { code, activation, pin, pin_confirmation: pin }, address);
}

async function post(test: TestApp, url: string, payload: object, remoteAddress: string) {
  const response = await test.server.inject({ method: 'POST', url, payload, remoteAddress });
  const body = response.json<EntryAnswer>();
  return { status: response.statusCode, body, raw: response.body };
}

/** A user with a card whose PIN is `PIN`, and the session that the activation opened. */
export async function giveCard(test: TestApp, admin: SignedInUser, userId: string) {
  const card = await makeCardFor(test, admin, userId);
  const { body } = await activate(test, card);
  return { ...card, token: body.data.token, deviceToken: body.data.device_token };
}

export async function makeAssisted(test: TestApp, admin: SignedInUser, body: object = {}): Promise<Answer> {
  const fields = { name: 'Mbah Karto', ...body };
  return test.call('POST', '/api/admin/users/assisted', { token: admin.token, body: fields });
}
