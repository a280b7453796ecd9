import { parentPort, type MessagePort } from 'node:worker_threads';
import type { LogPlace } from './copy-state.ts';
import { createCopyLoop, type CopyLoop, type CopyLoopDeps, type CopyReport } from './copy-loop.ts';
import type { EmptiedLog } from './log-follower.ts';

/** The pause between two looks at the data folder. */
export const LOOK_EVERY_MS = 10_000;

/** The thread is started early, because loading the program takes most of its start. */
export type CopyThreadData = {
  /** One number: how many uploads were removed. */
  removals: SharedArrayBuffer;
};
export type Beginning = Pick<
  CopyLoopDeps,
  'dataDir' | 'databaseFile' | 'secondDir' | 'identity' | 'hadCopy' | 'atMs' | 'lastEmptied'
>;

export type ToCopyThread =
  | { kind: 'start'; beginning: Beginning }
  | { kind: 'look' }
  | { kind: 'emptied'; log: EmptiedLog }
  /** The end of a log is not known. */
  | { kind: 'lost' }
  | { kind: 'handover begun'; last: LogPlace | null }
  | { kind: 'start new' }
  /** A last look, and no other. */
  | { kind: 'end' };

export type FromCopyThread = { kind: 'report'; report: CopyReport } | { kind: 'begin handover' } | { kind: 'ended' };

/** Runs inside the worker thread. @param port to the thread of the server */
export function serveRunningCopy(
  { removals }: CopyThreadData,
  port: Pick<MessagePort, 'on' | 'postMessage'> | null = parentPort,
): void {
  const counter = new Int32Array(removals);
  const post = (message: FromCopyThread): void => port?.postMessage(message);
  let handoverBegun: (last: LogPlace | null) => void = () => undefined;
  const createLoop = (beginning: Beginning): CopyLoop =>
    createCopyLoop({
      ...beginning,
      now: Date.now,
      removals: () => Atomics.load(counter, 0),
      beginHandover: () =>
        new Promise<LogPlace | null>((resolve) => {
          handoverBegun = resolve;
          post({ kind: 'begin handover' });
        }),
    });
  let loop: CopyLoop | null = null;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let isWanted = false;

  async function lookNow(): Promise<void> {
    isWanted = true;
    looking ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await loop?.look((report) => post({ kind: 'report', report }));
      }
      looking = null;
      if (timer) clearTimeout(timer);
      timer = setTimeout(() => void lookNow(), LOOK_EVERY_MS);
    })();
    await looking;
  }

  async function endAfterLook(): Promise<void> {
    await lookNow();
    if (timer) clearTimeout(timer);
    post({ kind: 'ended' });
  }

  port?.on('message', (message: ToCopyThread) => {
    if (message.kind === 'start') loop = createLoop(message.beginning);
    if (message.kind === 'emptied') loop?.addEmptied(message.log);
    if (message.kind === 'lost') loop?.addEmptied('lost');
    if (message.kind === 'handover begun') handoverBegun(message.last);
    else if (message.kind === 'start new') loop?.allowNew();
    if (message.kind !== 'handover begun' && message.kind !== 'end') void lookNow();
    if (message.kind === 'end') {
      void endAfterLook();
    }
  });
}
