import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programResources } from './program-resources.ts';
import { diskResources } from './resources.ts';

describe('resources on disk', () => {
  it('are listed with all their folders and read by their key', () => {
    const root = mkdtempSync(join(tmpdir(), 'pbb-resources-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, 'assets/deep'), { recursive: true });
    writeFileSync(join(root, 'index.html'), 'page');
    writeFileSync(join(root, 'assets/deep/a.js'), 'script');
    const resources = diskResources({ client: root });
    expect(resources.keys('client').toSorted()).toEqual(['client/assets/deep/a.js', 'client/index.html']);
    expect(resources.read('client/assets/deep/a.js').toString()).toBe('script');
    expect(() => resources.read('client/none')).toThrow('ENOENT');
  });

  it('are none where there is no such folder', () => {
    const resources = diskResources({ client: '/nowhere/at/all' });
    expect([resources.keys('client'), resources.keys('docs')]).toEqual([[], []]);
  });

  it('of the program hold its migrations and its documentation page', () => {
    const resources = programResources();
    expect(resources.keys('migrations')).toContain('migrations/meta/_journal.json');
    expect(resources.keys('docs')).toContain('docs/swagger-ui-bundle.js');
  });
});
