import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { replaceUnusableStreams } from './standard-streams.ts';

const throwing = {
  configurable: true,
  get(): never {
    throw Object.assign(new Error('open EBADF'), { code: 'EBADF' });
  },
};

it('replaces standard streams that cannot be opened by ones that take everything and hold nothing', async () => {
  const streams = Object.defineProperties({} as typeof process, {
    stdin: throwing,
    stdout: throwing,
    stderr: throwing,
  });
  replaceUnusableStreams(streams);
  for (const stream of [streams.stdout, streams.stderr]) {
    expect(stream).toBeInstanceOf(Writable);
    await new Promise<void>((resolve) => stream.write('a line\n', () => resolve()));
  }
  expect(await text(streams.stdin)).toBe('');
});

it('leaves usable streams as they are', () => {
  const own = { stdin: Readable.from([]), stdout: new Writable(), stderr: new Writable() };
  const streams = { ...own } as unknown as typeof process;
  replaceUnusableStreams(streams);
  expect(streams).toEqual(own);
});
