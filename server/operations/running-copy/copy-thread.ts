import { setPriority } from 'node:os';
import { parentPort, type MessagePort } from 'node:worker_threads';
import { createCopyLoop, type CopyLoopDeps, type CopyReport, type EmptiedLog } from './copy-loop.ts';

/** How often the copy is brought up to the data folder. */
export const LOOK_EVERY_MS = 10_000;
/** A report and its look come after the messages of users, but not after everything else: the copy has a deadline. */
const NICENESS = 5;

export type CopyThreadData = Pick<
  CopyLoopDeps,
  'dataDir' | 'databaseFile' | 'secondDir' | 'identity' | 'hadCopy' | 'lastEmptied'
> & {
  /** One number: how many uploads were removed. */
  removals: SharedArrayBuffer;
};

export type ToCopyThread =
  | { kind: 'look' }
  | { kind: 'emptied'; log: EmptiedLog }
  | { kind: 'handover begun' }
  | { kind: 'start new' }
  /** A last look, and no other. */
  | { kind: 'end' };

export type FromCopyThread = { kind: 'report'; report: CopyReport } | { kind: 'begin handover' } | { kind: 'ended' };

/** Runs inside the worker thread. @param port to the thread of the server */
export function serveRunningCopy(
  { removals, ...data }: CopyThreadData,
  port: Pick<MessagePort, 'on' | 'postMessage'> | null = parentPort,
): void {
  // On Linux niceness belongs to a thread. On other systems this would slow the whole server down.
  if (process.platform === 'linux') setPriority(NICENESS);
  const counter = new Int32Array(removals);
  const post = (message: FromCopyThread): void => port?.postMessage(message);
  let handoverBegun: () => void = () => undefined;
  const loop = createCopyLoop({
    ...data,
    now: Date.now,
    removals: () => Atomics.load(counter, 0),
    beginHandover: () =>
      new Promise<void>((resolve) => {
        handoverBegun = resolve;
        post({ kind: 'begin handover' });
      }),
  });
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;
  let isWanted = false;

  async function lookNow(): Promise<void> {
    isWanted = true;
    looking ??= (async () => {
      while (isWanted) {
        isWanted = false;
        await loop.look((report) => post({ kind: 'report', report }));
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
    if (message.kind === 'emptied') loop.addEmptied(message.log);
    if (message.kind === 'handover begun') handoverBegun();
    else if (message.kind === 'start new') loop.allowNew();
    if (message.kind === 'look' || message.kind === 'emptied' || message.kind === 'start new') void lookNow();
    if (message.kind === 'end') {
      void endAfterLook();
    }
  });
  void lookNow();
}
