import { vi } from 'vitest';
import type { TestApp } from './test-app.ts';

/** How SQLite answers each query that `read` makes: one line of EXPLAIN QUERY PLAN per query, its steps joined by `; `. */
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
