import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The rows of docs/security.md, without their headings. */
const rows = readFileSync('docs/security.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| What ') && !line.startsWith('| ---'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

/** The titles in a test file: what stands first in `it(…)`, `itOnSqlite(…)`, `test(…)`, `describe(…)`, or in the second call of `it.each(…)(…)`. */
const titlesIn = (file: string): string[] =>
  [
    ...readFileSync(file, 'utf8').matchAll(/(?:\b(?:it|test|describe|itOnSqlite)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g),
  ].map(([, , title = '']) => title.replaceAll(/\\(.)/g, '$1'));

it.each(rows)('docs/security.md names files and a test that exist: %s', (_what, _bound, setIn = '', provedBy = '') => {
  const [, file] = /^`([^`]+)`$/.exec(setIn) ?? [];
  if (file !== undefined) expect(existsSync(file), file).toBe(true);
  else expect(setIn).toBe("Node's own");
  if (provedBy === '–') return;
  const [, test = '', title = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(provedBy) ?? [];
  expect(test, provedBy).not.toBe('');
  expect(
    titlesIn(test).some((found) => found.includes(title)),
    provedBy,
  ).toBe(true);
});

it('docs/security.md has rows', () => {
  expect(rows.length).toBeGreaterThan(50);
});
