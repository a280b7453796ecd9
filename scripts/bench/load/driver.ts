import { closedLoop, heavyReads, idleSockets, openLoop } from './chat-load.ts';
import { flood } from './flood-load.ts';
import { openHandshakes } from './handshake-load.ts';
import { listen } from './listener-load.ts';
import { sendMessages } from './message-load.ts';
import type { LoadReport, LoadResult, LoadTask, TaskControl } from './load-process.ts';

/** This process makes the load. It exits with its parent, or after this time at the latest. */
const LIFETIME_MAX_MS = 180_000;

const stopController = new AbortController();
const control: TaskControl = {
  stopSignal: stopController.signal,
  reportReady: () => void process.send?.({ ready: true } satisfies LoadReport),
};

function run(task: LoadTask): Promise<LoadResult> {
  switch (task.name) {
    case 'closed-loop':
      return closedLoop(control, task);
    case 'open-loop':
      return openLoop(control, task);
    case 'idle-sockets':
      return idleSockets(control, task.target);
    case 'heavy-reads':
      return heavyReads(control, task.target);
    case 'flood':
      return flood(control, task);
    case 'handshakes':
      return openHandshakes(control, task.url);
    case 'messages':
      return sendMessages(control, task);
    case 'listeners':
      return listen(control, task);
  }
}

setTimeout(() => process.exit(1), LIFETIME_MAX_MS).unref();
process.once('disconnect', () => process.exit(1));
process.on('message', (message: LoadTask | 'stop') => {
  if (message === 'stop') return stopController.abort();
  run(message).then(
    (outcome) => process.send?.({ outcome } satisfies LoadReport, () => process.exit(0)),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
      process.exit(1);
    },
  );
});
