import { MessageChannel } from 'node:worker_threads';
import type { RunningCopy, RunningCopyStatus } from '#server/operations/running-copy/copy-state.ts';
import { serveRunningCopy, type CopyThreadData } from '#server/operations/running-copy/copy-thread.ts';

/** Runs the work of the copy's thread in this one. @returns the thread, which `kill` ends as a kill of the server does */
export function startCopyInProcess(data: CopyThreadData) {
  const { port1, port2 } = new MessageChannel();
  serveRunningCopy(data, port2);
  const kill = (): void => port2.close();
  return Object.assign(port1, {
    kill,
    terminate: async () => {
      kill();
      return 0;
    },
  });
}

export type FakeRunningCopy = RunningCopy & { change: (changes: Partial<RunningCopyStatus> | null) => void };

/** A running copy that is as a test says; `startNew` works as in the real one. */
export function fakeRunningCopy(changes: Partial<RunningCopyStatus> = {}): FakeRunningCopy {
  const well: RunningCopyStatus = {
    path: '/disk-2/salinan-berjalan',
    atMs: null,
    state: 'ok',
    message: null,
    percent: null,
    stoppedSinceMs: null,
    reason: null,
  };
  let status: RunningCopyStatus | null = { ...well, ...changes };
  return {
    status: () => status,
    startNew() {
      if (status?.reason !== 'emptied') return false;
      status = { ...well, state: 'starting', percent: 0 };
      return true;
    },
    change(changed) {
      status = changed && { ...well, ...changed };
    },
  };
}
