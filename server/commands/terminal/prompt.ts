import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { withoutNul } from '#server/http/bodies/nul-texts.ts';
import { CommandError } from './command-errors.ts';

type Streams = { input: NodeJS.ReadableStream; output: NodeJS.WritableStream };
const processStreams: Streams = { input: process.stdin, output: process.stdout };

/** Whether the command can ask questions. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stdout.isTTY;

/** @throws CommandError when the user cancels (Ctrl+C, Ctrl+D) */
export function ask(question: string, streams: Streams = processStreams): Promise<string> {
  return readAnswer(question, streams, streams.output);
}

/** Like ask, but the input is not shown. */
export function askHidden(question: string, streams: Streams = processStreams): Promise<string> {
  return readAnswer(question, streams, new Writable({ write: (_chunk, _encoding, done) => done() }));
}

/** @param echo receives the input as it is typed */
function readAnswer(question: string, { input, output }: Streams, echo: NodeJS.WritableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // `terminal: true` reads key by key and turns off the echo of the terminal itself.
    const reader = createInterface({ input, output: echo, terminal: true, historySize: 0 });
    let answer: string | undefined;
    reader.once('SIGINT', () => reader.close());
    reader.once('close', () => {
      if (answer === undefined || echo !== output) output.write('\n');
      if (answer === undefined) reject(new CommandError('Dibatalkan; tidak ada yang diubah.'));
      else resolve(withoutNul(answer));
    });
    reader.question(question, (given) => {
      answer = given;
      reader.close();
    });
    // Printed after the echo is off: input that is typed at once must not be shown.
    if (echo !== output) output.write(question);
  });
}

/** @returns the first line of the piped input */
export async function readFirstLine(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  const reader = createInterface({ input, terminal: false });
  for await (const line of reader) {
    reader.close();
    // As in a password that a browser sends.
    return withoutNul(line);
  }
  return '';
}
