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

it.each(rows)('docs/security.md names files and a test that exist: %s', (_what, _bound, setIn = '', provedBy = '') => {
  const [, file] = /^`([^`]+)`$/.exec(setIn) ?? [];
  if (file !== undefined) expect(existsSync(file), file).toBe(true);
  else expect(setIn).toBe("Node's own");
  if (provedBy === '–') return;
  const [, test = '', title = ''] = /^`([^`]+\.test\.ts)`: (.+)$/.exec(provedBy) ?? [];
  expect(test, provedBy).not.toBe('');
  expect(readFileSync(test, 'utf8')).toContain(title);
});

it('docs/security.md has rows', () => {
  expect(rows.length).toBeGreaterThan(50);
});
