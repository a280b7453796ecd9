import '#client/lib/browser/array-methods.ts';
import { createExportJob } from './export-job.ts';
import type { ToExportWorker } from './worker-messages.ts';

// The entry of the worker thread. It makes the file there, so that the page goes on meanwhile.
const receive = createExportJob((message) => self.postMessage(message));
self.addEventListener('message', (event: MessageEvent<ToExportWorker>) => receive(event.data));
