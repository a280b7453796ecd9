import type { RunResult, Statement } from 'better-sqlite3';
import { vi } from 'vitest';
import { shareConnection } from '#server/db/sqlite/connection.ts';
import type { Connection } from '#server/db/engine.ts';
import type { TestApp } from './test-app.ts';

/** Gets a connection that has not prepared anything yet. */
type Read = (orm: Connection) => unknown;

/** @returns the text of each statement that `read` prepares */
export async function preparedTexts({ database: { sqlite } }: TestApp, read: Read): Promise<string[]> {
  const prepare = vi.spyOn(sqlite, 'prepare');
  await read(shareConnection(sqlite).read);
  const texts = prepare.mock.calls.map(([text]) => text);
  prepare.mockRestore();
  return texts;
}

/** @returns the EXPLAIN QUERY PLAN of a query in one line, steps joined by `; ` */
export function planOf({ database: { sqlite } }: TestApp, text: string): string {
  const values = Array.from(text.matchAll(/\?/g), () => 'x');
  const steps = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(...values);
  return steps.map(({ detail }) => detail).join('; ');
}

/** @returns the plan of each query that `read` prepares */
export async function queryPlans(test: TestApp, read: Read): Promise<string[]> {
  const queries = (await preparedTexts(test, read)).filter((text) => /^select/i.test(text));
  return queries.map((text) => planOf(test, text));
}

/** A statement that ran, and the number of rows that it returned or changed. */
export type RanStatement = { text: string; rows: number };

const countRows = {
  all: (result: unknown) => (Array.isArray(result) ? result.length : 0),
  get: (result: unknown) => (result === undefined ? 0 : 1),
  run: (result: unknown) => (result as RunResult).changes,
};

/** @returns each statement that runs during an action, as often as it runs */
export async function ranStatements(
  { database: { sqlite } }: TestApp,
  action: () => Promise<unknown>,
): Promise<RanStatement[]> {
  const statements = Object.getPrototypeOf(sqlite.prepare('select 1')) as Statement;
  const spies = (['all', 'get', 'run'] as const).map((method) => ({ method, spy: vi.spyOn(statements, method) }));
  await action();
  const ran = spies.flatMap(({ method, spy: { mock } }) =>
    (mock.contexts as Statement[]).map(({ source }, call) => ({
      text: source,
      rows: countRows[method](mock.results[call]?.value),
    })),
  );
  for (const { spy } of spies) spy.mockRestore();
  return ran;
}

/** @returns the text of each statement that runs during an action, as often as it runs */
export const ranTexts = async (test: TestApp, action: () => Promise<unknown>): Promise<string[]> =>
  (await ranStatements(test, action)).map(({ text }) => text);
