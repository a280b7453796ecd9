import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { APP_VERSION, RUNTIME } from './version.ts';

it('is the one of package.json, and names what the program runs on', () => {
  const about = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(APP_VERSION).toBe(about.version);
  expect(RUNTIME).toEqual({
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    isSingleBinary: false,
  });
});
