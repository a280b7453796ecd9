import { DAY_MS } from '#shared/durations.ts';
import { MEDIAN_DAYS } from '#shared/limits.ts';
import { findOfficeHours } from '#server/office/office-queries.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { scheduleOf } from './hours.ts';

/** An answer does not wait longer than this for a new value; the old one is sent, or none. */
const WAIT_FOR_VALUE_MS = 1000;
/** The value is never older, because its days move on. */
const MAX_AGE_MS = 300_000;
/** Computing it takes at most this share of the time, however often messages change it. */
const COST_SHARE = 0.05;
/** Accounts take turns in the query worker; this is the office's own. */
const WORKER_ACCOUNT = 'office';

/** The usual wait of the last days (R-OFFICE-3), computed by the query worker and kept for a while. */
export function createUsualWait(context: ServiceContext) {
  const { orm, queryWorker, now, monotonicNow, timeZone } = context;
  let value: number | null = null;
  let readAtMs = -Infinity;
  /** On the clock of the processor, which measures the cost too. */
  let restsUntilMs = -Infinity;
  let isStale = true;
  let pending: Promise<void> | null = null;

  async function read(): Promise<void> {
    isStale = false;
    const startedMs = performance.now();
    const nowMs = now();
    const range = { fromMs: nowMs - MEDIAN_DAYS * DAY_MS, toMs: nowMs + 1 };
    try {
      const request = { schedule: scheduleOf(await findOfficeHours(orm)), timeZone, ...range };
      // Quick in most offices; where it is not, the worker learns it.
      value = await queryWorker.run('officeMedian', request, { account: WORKER_ACCOUNT });
    } catch {
      // The worker is busy, or the database was lost: the old value stays, and the next answer tries again.
      isStale = true;
    }
    const endedMs = performance.now();
    restsUntilMs = endedMs + (endedMs - startedMs) / COST_SHARE;
    readAtMs = monotonicNow();
    pending = null;
  }

  return {
    /** Called when an answer was sent or the hours changed. */
    changed(): void {
      isStale = true;
    },
    async current(): Promise<number | null> {
      const isOld = monotonicNow() - readAtMs > MAX_AGE_MS;
      if (isOld || (isStale && performance.now() >= restsUntilMs)) pending ??= read();
      if (pending) {
        let timer: NodeJS.Timeout | undefined;
        const patience = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, WAIT_FOR_VALUE_MS).unref();
        });
        await Promise.race([pending, patience]);
        clearTimeout(timer);
      }
      return value;
    },
  };
}
