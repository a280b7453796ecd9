import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { CommandError } from './command-errors.ts';
import { ask, askHidden, readFirstLine } from './prompt.ts';

function buildTerminal() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = '';
  output.on('data', (bytes: Buffer) => {
    shown += bytes.toString();
  });
  return { streams: { input, output }, type: (text: string) => void input.write(text), shown: () => shown };
}

describe('ask and askHidden', () => {
  it('ask resolves with the typed line', async () => {
    const { streams, type, shown } = buildTerminal();
    const answer = ask('Email: ', streams);
    type('ratna@kantor.id\r');
    expect(await withTimeout('the answer', answer)).toBe('ratna@kantor.id');
    expect(shown()).toContain('Email: ');
  });

  it('askHidden shows the question and nothing of the answer', async () => {
    const { streams, type, shown } = buildTerminal();
    const answer = askHidden('Password baru: ', streams);
    type('rahaxx');
    // Two backspaces.
    type('\u007F\u007Fsia 123 \r');
    expect(await withTimeout('the answer', answer)).toBe('rahasia 123 ');
    expect(shown()).toBe('Password baru: \n');
  });

  it.each(['\u0003', '\u0004'])('cancel at the key %j', async (key) => {
    for (const question of [ask, askHidden]) {
      const { streams, type } = buildTerminal();
      const answer = question('Password baru: ', streams);
      type(key);
      await expect(withTimeout('the end', answer)).rejects.toThrow(
        new CommandError('Dibatalkan; tidak ada yang diubah.'),
      );
    }
  });
});

it('readFirstLine returns the first line of the input unchanged', async () => {
  const input = new PassThrough();
  input.end(' rahasia  \nlagi\n');
  expect(await readFirstLine(input)).toBe(' rahasia  ');
  const nothing = new PassThrough();
  nothing.end();
  expect(await readFirstLine(nothing)).toBe('');
});
