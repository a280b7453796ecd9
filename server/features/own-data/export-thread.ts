import { setPriority } from 'node:os';
import { parentPort, type Worker } from 'node:worker_threads';
import { withoutParameters, type Connection } from '#server/db/engine.ts';
import { type DatabaseSource, openForReading } from '#server/db/source.ts';
import { type ExportPlan, writeExport } from './contents/write-export.ts';

/** Starts a copy: in a thread in the server, on the event loop in tests. */
export type StartExport = (
  plan: ExportPlan,
  onPercent: (percent: number) => void,
) => {
  /** The size of the file. */
  bytes: Promise<number>;
  /** Ends it; the caller removes its file. */
  stop: () => Promise<void>;
};

export type ExportThreadData = { source: DatabaseSource; plan: ExportPlan };
type ThreadReport = { percent: number } | { bytes: number } | { error: Error };

/** A conversation is read in steps, and one step is small. */
export const EXPORT_THREAD_LIMITS = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };
/** Of the memory for pages of the database. */
const CACHE_KIB = 8192;
/** As backups: people who wait for a page come first. */
const NICENESS = 19;

export const createInlineExports =
  (orm: Connection): StartExport =>
  (plan, onPercent) => ({ bytes: writeExport(orm, plan, onPercent), stop: async () => undefined });

/** @param startWorker starts a thread that calls `serveExport` */
export const createThreadExports =
  (startWorker: (plan: ExportPlan) => Worker): StartExport =>
  (plan, onPercent) => {
    const worker = startWorker(plan);
    const bytes = new Promise<number>((resolve, reject) => {
      worker.on('message', (report: ThreadReport) => {
        if ('percent' in report) onPercent(report.percent);
        else if ('bytes' in report) resolve(report.bytes);
        else reject(report.error);
      });
      worker.once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the thread of a copy ended with ${code}`)));
    });
    return {
      bytes,
      stop: async () => {
        await worker.terminate();
      },
    };
  };

/** Runs inside the worker thread, which ends with its copy. */
export async function serveExport({ source, plan }: ExportThreadData): Promise<void> {
  // On Linux niceness belongs to a thread. On other systems this would slow the whole server down.
  if (process.platform === 'linux') setPriority(NICENESS);
  const report = (message: ThreadReport): void => parentPort?.postMessage(message);
  const { orm, close } = await openForReading(source, { cacheKiB: CACHE_KIB });
  try {
    report({ bytes: await writeExport(orm, plan, (percent) => report({ percent })) });
  } catch (error) {
    report({ error: withoutParameters(error) as Error });
  } finally {
    await close();
  }
}
