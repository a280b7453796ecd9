import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { formatEnvExample, replaceReadmeTable } from './write-settings.ts';

it('agrees with README.md; otherwise run npm run settings', () => {
  const readme = readFileSync('README.md', 'utf8');
  expect(replaceReadmeTable(readme)).toBe(readme);
  // A table that is not found would agree too.
  expect(replaceReadmeTable(readme.replace('`METRICS_TOKEN`', '`METRICS`'))).toBe(readme);
});

it('agrees with .env.example, which explains every setting; otherwise run npm run settings', () => {
  const text = formatEnvExample();
  expect(readFileSync('.env.example', 'utf8')).toBe(text);
  // Only the head is above the first setting with a comment.
  expect(text).toMatch(/\n\n# .*\nHOST=/);
});
