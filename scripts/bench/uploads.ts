import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLoad, startLoad, type LoadTarget } from './chat/chat-load-process.ts';
import { percentiles, printTable, type Timing } from './measure.ts';
import { addUsers, createBenchData } from './seed-data.ts';
import { readMaxLoopDelayMs, startServer } from './server-process.ts';

const SENDERS = 50;
const MESSAGES_PER_SECOND = 100;
const UPLOADS_PER_SECOND = 5;
const WARM_UP_MS = 1500;
const ROUND_MS = 5000;
/** The three kinds of rounds alternate, and the median counts: other programs then disturb them alike. */
const ROUNDS = 5;

/**
 * Compares the delivery of texts while files are uploaded and sent with delivery while a bare program takes the same files on
 * the same machine (`baseline-uploads.ts`), and shows it without uploads, all in the same run.
 */
export async function benchUploads(): Promise<void> {
  const data = createBenchData(2000);
  const senders = addUsers(data, 2 * SENDERS);
  const bareFolder = mkdtempSync(join(tmpdir(), 'pbb-bench-'));
  const environment = { DATA_DIR: data.dataDir, BACKUP_EVERY_HOURS: '0', QUOTA_PROOFS_MB: '0' };
  const server = await startServer('dist/server/main.mjs', environment);
  const bare = await startServer('scripts/bench/baselines/baseline-uploads.ts', { BENCH_FOLDER: bareFolder });
  try {
    const { url } = server;
    const target: LoadTarget = { kind: 'server', url, admin: data.admin, senders: senders.slice(0, SENDERS) };
    const deliver = async (): Promise<Timing> => {
      const { count, times } = await runLoad({
        name: 'open-loop',
        target,
        perSecond: MESSAGES_PER_SECOND,
        warmUpMs: WARM_UP_MS,
        measureMs: ROUND_MS,
      });
      if (times.length !== count) throw new Error(`${count - times.length} of ${count} messages did not arrive`);
      return percentiles(times);
    };
    const startUploads = (changes: Pick<LoadTarget, 'kind' | 'url'>) => {
      const uploading = { ...target, ...changes, senders: senders.slice(SENDERS) };
      return startLoad({ name: 'uploads', target: uploading, perSecond: UPLOADS_PER_SECOND });
    };
    const timings = { quiet: [] as Timing[], bare: [] as Timing[], server: [] as Timing[] };
    const uploadTimes: number[] = [];
    let seconds = 0;
    let maxDelayMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      timings.quiet.push(await deliver());

      const bareLoad = await startUploads({ kind: 'insert', url: bare.url });
      timings.bare.push(await deliver());
      await bareLoad.stop();

      const load = await startUploads({ kind: 'server', url });
      await readMaxLoopDelayMs(server);
      timings.server.push(await deliver());
      maxDelayMs = Math.max(maxDelayMs, await readMaxLoopDelayMs(server));
      const uploaded = await load.stop();
      uploadTimes.push(...uploaded.times);
      seconds += uploaded.seconds;
    }
    const { p50, p99 } = percentiles(uploadTimes);
    process.stdout.write(
      `${uploadTimes.length} uploads of 0.4 MB, ${(uploadTimes.length / seconds).toFixed(1)}/s, each sent with a message: ` +
        `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms; maximum event loop delay ${maxDelayMs.toFixed(1)} ms\n`,
    );
    const row = (percentile: keyof Timing, aim: number): (string | number)[] => {
      const medianOf = (rounds: Timing[]): number => percentiles(rounds.map((timing) => timing[percentile])).p50;
      const [quiet, elsewhere, here] = [medianOf(timings.quiet), medianOf(timings.bare), medianOf(timings.server)];
      const ratio = here / elsewhere;
      return [`delivery ${percentile}, ms`, quiet, elsewhere, here, ratio, `≤ ${aim}`, ratio <= aim ? 'met' : 'MISSED'];
    };
    printTable(
      `texts at ${MESSAGES_PER_SECOND}/s while ${UPLOADS_PER_SECOND} files a second are uploaded, medians of ${ROUNDS} rounds`,
      ['', 'no uploads', 'baseline takes them', 'server takes them', 'ratio', 'aim', ''],
      [row('p50', 1.5), row('p99', 2)],
    );
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
    rmSync(bareFolder, { recursive: true, force: true });
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
