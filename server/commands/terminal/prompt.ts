import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CommandError } from './command-errors.ts';

type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };
const processStreams: Streams = { input: process.stdin, output: process.stdout };

/** Whether somebody sits there who can be asked. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** @throws CommandError when the asked one breaks off (Ctrl+C, Ctrl+D) */
export function ask(question: string, streams: Streams = processStreams): Promise<string> {
  return readAnswer(question, streams, streams.output);
}

/** As ask, but what is typed shows nowhere. */
export function askHidden(question: string, streams: Streams = processStreams): Promise<string> {
  return readAnswer(question, streams, new Writable({ write: (_chunk, _encoding, done) => done() }));
}

/** @param echo where what is typed shows */
function readAnswer(question: string, { input, output }: Streams, echo: NodeJS.WritableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // `terminal`: key by key and without the terminal's own echo, whatever the output is.
    const reader = createInterface({ input, output: echo, terminal: true, historySize: 0 });
    let answer: string | undefined;
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => {
      if (answer === undefined || echo !== output) output.write('\n');
      if (answer === undefined) reject(new CommandError('Dibatalkan; tidak ada yang diubah.'));
      else resolve(answer);
    });
    reader.question(question, (given) => {
      answer = given;
      reader.close();
    });
    // Only now: whoever answers at once must not be shown what they type.
    if (echo !== output) output.write(question);
  });
}

/** The first line of what is piped in. */
export async function readFirstLine(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  const reader = createInterface({ input, terminal: false });
  for await (const line of reader) {
    reader.close();
    return line;
  }
  return '';
}
