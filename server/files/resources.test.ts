import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { programResources } from './program-resources.ts';
import { diskResources, isSingleBinary, seaResources } from './resources.ts';

describe('diskResources', () => {
  it('lists files of all folders and reads them by key', () => {
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

  it('lists nothing for a missing folder', () => {
    const resources = diskResources({ client: '/nowhere/at/all' });
    expect([resources.keys('client'), resources.keys('docs')]).toEqual([[], []]);
  });

  it('contains the migrations and the API page of the program', () => {
    const resources = programResources();
    expect(resources.keys('migrations')).toContain('migrations/meta/_journal.json');
    expect(resources.keys('docs')).toContain('docs/swagger-ui-bundle.js');
  });
});

describe('seaResources', () => {
  const inside = new Map<string, Buffer>([
    ['client/index.html.gz', gzipSync('page')],
    ['client/logo.png', Buffer.from('image')],
    ['clients/other.txt', Buffer.from('not the client')],
    ['program/text.br', brotliCompressSync('program')],
  ]);
  const resources = seaResources({
    keys: () => [...inside.keys()],
    read: (key) => new Uint8Array(inside.get(key) ?? []).buffer,
  });

  it('lists compressed files by their plain names too, and decompresses them when read so', () => {
    expect(resources.keys('client').toSorted()).toEqual([
      'client/index.html',
      'client/index.html.gz',
      'client/logo.png',
    ]);
    expect(resources.read('client/index.html').toString()).toBe('page');
    expect(resources.read('client/index.html.gz')).toEqual(inside.get('client/index.html.gz'));
    expect(resources.read('client/logo.png').toString()).toBe('image');
    expect(resources.read('program/text').toString()).toBe('program');
  });

  it('throws for an unknown key', () => {
    expect(resources.keys('guide')).toEqual([]);
    expect(() => resources.read('guide/operations.md')).toThrow('the program carries no guide/operations.md');
    expect(isSingleBinary()).toBe(false);
  });
});
