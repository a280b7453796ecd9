import { vi } from 'vitest';
import { createExportJob } from '../export-job.ts';
import type { FromExportWorker, ToExportWorker } from '../worker-messages.ts';

/** The export worker of a test: same messages and copies as a thread, but in this thread, because jsdom has no workers. */
class FakeWorker extends EventTarget {
  isTerminated = false;
  readonly #receive = createExportJob((message: FromExportWorker) => {
    if (!this.isTerminated) this.dispatchEvent(new MessageEvent('message', { data: message }));
  });

  postMessage(message: ToExportWorker): void {
    const copy = structuredClone(message);
    queueMicrotask(() => {
      if (!this.isTerminated) this.#receive(copy);
    });
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

/** Replaces `Worker` until the end of the test. Returns the workers that were started since then. */
export function installFakeWorker(): FakeWorker[] {
  const started: FakeWorker[] = [];
  vi.stubGlobal(
    'Worker',
    class extends FakeWorker {
      constructor() {
        super();
        started.push(this);
      }
    },
  );
  return started;
}

/** Replaces `Worker` by one whose program does not load. */
export function installBrokenWorker(): void {
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor() {
        super();
        queueMicrotask(() => this.dispatchEvent(new ErrorEvent('error', { message: 'not loaded' })));
      }
      postMessage() {}
      terminate() {}
    },
  );
}
