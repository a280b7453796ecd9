import { expect, vi } from 'vitest';
import type { OwnExport } from '#shared/api/own-data.ts';
import type { Answer, TestApp } from './test-app.ts';
import { unzip } from './unzip.ts';

/** The copy of the own data, as its owner asks for it and downloads it. */

type Caller = { token: string };

export const askForExport = (test: TestApp, { token }: Caller, password: unknown): Promise<Answer> =>
  test.call('POST', '/api/auth/export', { token, body: { current_password: password } });

export const readExport = async (test: TestApp, { token }: Caller): Promise<OwnExport> => {
  const { status, body } = await test.call('GET', '/api/auth/export', { token });
  expect(status).toBe(200);
  return body.data;
};

/** Waits until nothing is being made for the account. */
export async function waitForExport(test: TestApp, caller: Caller): Promise<OwnExport> {
  return vi.waitFor(
    async () => {
      const found = await readExport(test, caller);
      expect(found.state).not.toBe('running');
      return found;
    },
    { timeout: 30_000, interval: 20 },
  );
}

/** Asks, waits and downloads. @returns the files by name */
export async function downloadOwnData(test: TestApp, caller: Caller, password: string): Promise<Map<string, Buffer>> {
  expect(await askForExport(test, caller, password)).toMatchObject({ status: 202 });
  const { state, url, bytes } = await waitForExport(test, caller);
  expect(state).toBe('ready');
  const file = await test.call('GET', url ?? '');
  expect(file.status).toBe(200);
  expect(file.raw.length).toBe(bytes);
  return unzip(file.raw);
}
