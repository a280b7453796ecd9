import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import type { Side } from '#shared/events.ts';

/** One device is told of one conversation. */
export type JobKey = {
  sessionId: string;
  /** The user of the conversation. */
  userId: string;
  /** Of the person who is told. */
  side: Side;
};

/** Its content is read when it is sent: a newer message replaces an older one while it waits. */
export type Job = JobKey & {
  /** Of the push service. */
  origin: string;
  /** The times that the push service was too busy for it. */
  refusals: number;
  /** On the clock that only runs forward. */
  dueAt: number;
  wait: 'none' | 'backoff' | 'retry-after' | 'held';
  isRunning: boolean;
  /** Something changed while it ran. */
  isStale: boolean;
  /** The push service found the whole payload too large. */
  isShort: boolean;
  /** The messages were read while it was on its way: pages withdrew what was shown, and this came after that. */
  isLate: boolean;
  startedAt: number;
};

type Origin = {
  ready: Set<Job>;
  jobs: number;
  running: number;
  /** In a row, without any answer. From the first on it is asked by one push at a time. */
  failures: number;
  /** Pushes for which it was too busy, in a row. */
  refusals: number;
  openAt: number;
  failedAt: number;
  /** It has accepted a push. */
  isProven: boolean;
};

export type QueueLimits = {
  jobsMax: number;
  jobsPerOriginMax: number;
  runningMax: number;
  runningPerOriginMax: number;
  /** For all push services that never accepted a push together: invented ones cannot use up all places. */
  runningUnprovenMax: number;
};

export const QUEUE_LIMITS: QueueLimits = {
  jobsMax: 10_000,
  jobsPerOriginMax: 8000,
  runningMax: 24,
  runningPerOriginMax: 16,
  runningUnprovenMax: 12,
};

/** The first retry comes within a minute; the last ones are rare. */
const JOB_BACKOFF = { firstMs: 8000, maxMs: 15 * MINUTE_MS };
const ORIGIN_BACKOFF = { firstMs: 4000, maxMs: 5 * MINUTE_MS };
/** A single push may be refused for its own sake; after so many in a row the push service is overloaded. */
const REFUSALS_OF_ORIGIN = 3;
const RETRY_AFTER_MIN_MS = 1000;
const RETRY_AFTER_MAX_MS = DAY_MS;
const IDLE_ORIGINS_MAX = 200;

const keyOf = ({ sessionId, userId }: Omit<JobKey, 'side'>): string => `${sessionId} ${userId}`;

/**
 * The pause after so many failures in a row: twice as long each time. It is a quarter more or less, so that pushes that
 * failed together are not tried together.
 * @param random between 0 and 1
 */
function backoffMs(failures: number, { firstMs, maxMs }: { firstMs: number; maxMs: number }, random: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1)) * (0.75 + random / 2);
}

function addTo<K>(index: Map<K, Set<Job>>, key: K, job: Job): void {
  const jobs = index.get(key);
  if (jobs) jobs.add(job);
  else index.set(key, new Set([job]));
}

function removeFrom<K>(index: Map<K, Set<Job>>, key: K, job: Job): void {
  const jobs = index.get(key);
  jobs?.delete(job);
  if (jobs?.size === 0) index.delete(key);
}

/**
 * The pushes to send, in memory. The queue is bounded and keeps the order of each push service. It asks one that does
 * not answer less and less often, with a single push.
 * @param random between 0 and 1
 */
export function createDeliveryQueue(
  monotonicNow: () => number,
  random: () => number = Math.random,
  limits: QueueLimits = QUEUE_LIMITS,
) {
  const jobsByKey = new Map<string, Job>();
  const jobsByUser = new Map<string, Set<Job>>();
  const jobsBySession = new Map<string, Set<Job>>();
  const waiting = new Set<Job>();
  const origins = new Map<string, Origin>();
  let running = 0;
  let runningUnproven = 0;
  /** No waiting job is due before. */
  let nextDueAt = Infinity;

  function openOrigin(name: string): Origin {
    const known = origins.get(name);
    if (known) return known;
    if (origins.size >= IDLE_ORIGINS_MAX) {
      for (const [idle, { jobs, openAt }] of origins) if (jobs === 0 && openAt <= monotonicNow()) origins.delete(idle);
    }
    const origin: Origin = {
      ready: new Set(),
      jobs: 0,
      running: 0,
      failures: 0,
      refusals: 0,
      openAt: 0,
      failedAt: -Infinity,
      isProven: false,
    };
    origins.set(name, origin);
    return origin;
  }

  function makeReady(job: Job): void {
    waiting.delete(job);
    Object.assign(job, { wait: 'none', isStale: false });
    openOrigin(job.origin).ready.add(job);
  }

  function makeWait(job: Job, wait: Job['wait'], ms: number): void {
    Object.assign(job, { wait, dueAt: monotonicNow() + ms });
    nextDueAt = Math.min(nextDueAt, job.dueAt);
    waiting.add(job);
  }

  function readyWhatIsDue(): void {
    const nowMs = monotonicNow();
    if (nextDueAt > nowMs) return;
    nextDueAt = Infinity;
    for (const job of waiting) {
      if (job.dueAt <= nowMs) makeReady(job);
      else nextDueAt = Math.min(nextDueAt, job.dueAt);
    }
  }

  function hasRoom({ failures, running: ownRunning, openAt, isProven }: Origin): boolean {
    if (openAt > monotonicNow()) return false;
    if (!isProven && runningUnproven >= limits.runningUnprovenMax) return false;
    return ownRunning < (failures > 0 ? 1 : limits.runningPerOriginMax);
  }

  function stopRunning(job: Job): Origin {
    const origin = openOrigin(job.origin);
    job.isRunning = false;
    running -= 1;
    origin.running -= 1;
    if (!origin.isProven) runningUnproven -= 1;
    return origin;
  }

  function remove(job: Job): void {
    jobsByKey.delete(keyOf(job));
    removeFrom(jobsByUser, job.userId, job);
    removeFrom(jobsBySession, job.sessionId, job);
    waiting.delete(job);
    const origin = openOrigin(job.origin);
    origin.ready.delete(job);
    origin.jobs -= 1;
  }

  /** The push service has answered, whatever it said. Jobs that waited only for an answer are due. */
  function noteAnswer(name: string, origin: Origin): void {
    const wasDown = origin.failures > 0;
    Object.assign(origin, { failures: 0, refusals: 0, openAt: 0 });
    if (!wasDown) return;
    for (const job of waiting) if (job.origin === name && job.wait === 'backoff') makeReady(job);
  }

  /** No answer: pushes that ran together count as one failure. */
  function noteFailure(origin: Origin, startedAt: number, delayMs: number): void {
    if (startedAt <= origin.failedAt) return;
    origin.failures += 1;
    origin.failedAt = monotonicNow();
    origin.openAt = monotonicNow() + Math.max(delayMs, backoffMs(origin.failures, ORIGIN_BACKOFF, random()));
  }

  function has(key: JobKey): boolean {
    return jobsByKey.has(keyOf(key));
  }

  return {
    has,

    /** Adds what is not there; what is there is told of a change. @returns false when there is no place for it */
    add(key: JobKey, originName: string): boolean {
      const known = jobsByKey.get(keyOf(key));
      if (known) {
        known.isStale = true;
        return true;
      }
      const origin = openOrigin(originName);
      if (jobsByKey.size >= limits.jobsMax || origin.jobs >= limits.jobsPerOriginMax) return false;
      const { sessionId, userId, side } = key;
      const job: Job = {
        sessionId,
        userId,
        side,
        origin: originName,
        refusals: 0,
        dueAt: 0,
        wait: 'none',
        isRunning: false,
        isStale: false,
        isShort: false,
        isLate: false,
        startedAt: 0,
      };
      jobsByKey.set(keyOf(key), job);
      addTo(jobsByUser, userId, job);
      addTo(jobsBySession, sessionId, job);
      origin.jobs += 1;
      origin.ready.add(job);
      return true;
    },

    /** The next one to send, if a push service has room; push services take turns. */
    take(): Job | null {
      readyWhatIsDue();
      if (running >= limits.runningMax) return null;
      for (const [name, origin] of origins) {
        const [job] = origin.ready;
        if (!job || !hasRoom(origin)) continue;
        origin.ready.delete(job);
        Object.assign(job, { isRunning: true, isStale: false, startedAt: monotonicNow() });
        running += 1;
        origin.running += 1;
        if (!origin.isProven) runningUnproven += 1;
        origins.delete(name);
        origins.set(name, origin);
        return job;
      }
      return null;
    },

    /** It needs no attempt (any more), or had its last one. @param hasAnswered whether its push service said so */
    finish(job: Job, { hasAnswered, isAccepted = false }: { hasAnswered: boolean; isAccepted?: boolean }): void {
      const origin = stopRunning(job);
      if (hasAnswered) noteAnswer(job.origin, origin);
      if (isAccepted) {
        if (!origin.isProven) runningUnproven -= origin.running;
        origin.isProven = true;
      }
      job.refusals = 0;
      if (job.isStale) makeReady(job);
      else remove(job);
    },

    /** Once more at once, in another form. */
    again(job: Job): void {
      stopRunning(job);
      makeReady(job);
    },

    /** Its time has not come. */
    hold(job: Job, ms: number): void {
      stopRunning(job);
      makeWait(job, 'held', ms);
    },

    /** The push service was too busy (429, 5xx). @param retryAfterMs what it asked for */
    retry(job: Job, retryAfterMs: number | null): void {
      const origin = stopRunning(job);
      origin.refusals += 1;
      job.refusals += 1;
      const asked =
        retryAfterMs === null ? null : Math.min(RETRY_AFTER_MAX_MS, Math.max(RETRY_AFTER_MIN_MS, retryAfterMs));
      const delayMs = asked ?? backoffMs(job.refusals, JOB_BACKOFF, random());
      makeWait(job, asked === null ? 'backoff' : 'retry-after', delayMs);
      const isDown = origin.failures > 0 || origin.refusals >= REFUSALS_OF_ORIGIN;
      if (isDown) noteFailure(origin, job.startedAt, Math.min(delayMs, ORIGIN_BACKOFF.maxMs));
    },

    /** No answer at all. It keeps its place. */
    unreachable(job: Job): void {
      const origin = stopRunning(job);
      noteFailure(origin, job.startedAt, 0);
      const behind = [...origin.ready];
      origin.ready.clear();
      makeReady(job);
      for (const other of behind) origin.ready.add(other);
    },

    /** Jobs that wait for a time of day may be due earlier now. */
    releaseHeld(isMeant: (job: Job) => boolean): void {
      for (const job of waiting) if (job.wait === 'held' && isMeant(job)) makeReady(job);
    },

    /** Removes what does not run. */
    drop(job: Job): void {
      if (!job.isRunning) remove(job);
    },

    /** Removes all that do not run. */
    dropAll(): void {
      for (const job of jobsByKey.values()) if (!job.isRunning) remove(job);
    },

    jobsOfUser: (userId: string): Job[] => [...(jobsByUser.get(userId) ?? [])],
    hasJobsOfUser: (userId: string): boolean => jobsByUser.has(userId),
    hasJobsOfSession: (sessionId: string): boolean => jobsBySession.has(sessionId),
    size: (): number => jobsByKey.size,
    hasRoom: (): boolean => jobsByKey.size < limits.jobsMax / 2,
  };
}
