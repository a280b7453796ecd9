import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeSeaBlob, type SeaContent } from './sea-blob.ts';

/** Lets Node itself write the blob for the same content. */
function createBlobWithNode({ main, assets, execArgv }: SeaContent): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-blob-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const writeInput = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return name;
  };
  const config = {
    main: writeInput(main.name, main.code),
    output: 'blob',
    disableExperimentalSEAWarning: true,
    execArgvExtension: 'none',
    ...(execArgv.length > 0 ? { execArgv } : {}),
    assets: Object.fromEntries([...assets].map(([key, bytes], index) => [key, writeInput(`asset-${index}`, bytes)])),
  };
  writeInput('config.json', Buffer.from(JSON.stringify(config)));
  execFileSync(process.execPath, ['--experimental-sea-config', 'config.json'], { cwd: folder, stdio: 'pipe' });
  return readFileSync(join(folder, 'blob'));
}

const main = { name: 'main.cjs', code: Buffer.from('console.log("Selamat pagi…")') };

it.each<[string, SeaContent]>([
  ['a program without assets', { main, assets: new Map(), execArgv: [] }],
  // One asset only: the order in which Node writes several is not defined.
  ['a program with an asset', { main, assets: new Map([['client/é.html', Buffer.from('<p>é</p>')]]), execArgv: [] }],
  [
    'a program with Node options',
    { main, assets: new Map([['a', Buffer.alloc(0)]]), execArgv: ['--max-semi-space-size=4', '--no-opt'] },
  ],
])('writes %s with the same bytes as the running Node', (_name, content) => {
  expect(writeSeaBlob(content, process.versions.node).equals(createBlobWithNode(content))).toBe(true);
});

it('writes one more byte for Node 26 and throws for a Node version with unknown layout', () => {
  const content: SeaContent = { main, assets: new Map(), execArgv: [] };
  const [of24, of26] = [writeSeaBlob(content, '24.21.0'), writeSeaBlob(content, '26.10.0')];
  // The expected bytes were compared once by hand with the output of Node 26.10.0.
  expect(of26.equals(Buffer.concat([of24.subarray(0, 9), Buffer.alloc(1), of24.subarray(9)]))).toBe(true);
  expect(() => writeSeaBlob(content, '25.1.0')).toThrow('Node 25.1.0 belum dikenal');
});
