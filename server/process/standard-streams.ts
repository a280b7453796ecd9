import { Readable, Writable } from 'node:stream';

type Streams = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr'>;

const substitutes = {
  stdin: () => Readable.from([]),
  stdout: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
  stderr: () => new Writable({ write: (_chunk, _encoding, done) => done() }),
};

/**
 * Replaces a standard stream that Node cannot open. Some programs that start others hand over such a handle on Windows,
 * and then the first use of the stream throws EBADF. The log file has what matters, so the program goes on without.
 */
export function replaceUnusableStreams(streams: Streams): void {
  for (const name of ['stdin', 'stdout', 'stderr'] as const) {
    try {
      void streams[name];
    } catch {
      Object.defineProperty(streams, name, { configurable: true, value: substitutes[name]() });
    }
  }
}

// Before other modules are loaded: some of them use the streams while they load.
replaceUnusableStreams(process);
