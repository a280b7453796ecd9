import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { APP_VERSION, RUNTIME } from './version.ts';

it('reads the version of package.json and describes the runtime', () => {
  const about = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(APP_VERSION).toBe(about.version);
  expect(RUNTIME).toEqual({
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    isSingleBinary: false,
  });
});
