import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** @returns the EXPLAIN QUERY PLAN of each query that `read` prepares, one line per query, steps joined by `; ` */
export function queryPlans({ database: { sqlite } }: TestApp, read: () => unknown): string[] {
  const prepare = vi.spyOn(sqlite, 'prepare');
  read();
  const queries = prepare.mock.calls.map(([text]) => text).filter((text) => /^select/i.test(text));
  prepare.mockRestore();
  return queries.map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 'x');
    const steps = sqlite.prepare<unknown[], { detail: string }>(`explain query plan ${text}`).all(...values);
    return steps.map(({ detail }) => detail).join('; ');
  });
}
