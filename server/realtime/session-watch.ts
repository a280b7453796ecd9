import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '#server/db/database.ts';
import type { Processes } from '#server/process/processes.ts';

/** A session that another process ended (`admin reset-password`) is closed within about this time (R-EVENT-5). */
const POLL_INTERVAL_MS = 1000;
/** One turn of the event loop checks so many sessions, which takes some 5 ms: a thousand at once would block it. */
export const CHECKS_PER_TURN = 50;

/** Told by a command that has ended sessions, where no version of the database shows it. */
export const SESSIONS_ENDED = 'sessions ended';

/** Checks the next sockets of a round, at most `limit`. @returns whether the round is complete */
export type Recheck = (limit: number) => boolean;

/**
 * Notices that another process has written to the database, and then checks the session of every connected socket again.
 * Writes of this process do not count: its services publish the end of a session themselves.
 * @param recheckAll begins a round
 * @returns stops the watch
 */
export function watchSessions(
  database: Pick<Database, 'readVersion'>,
  recheckAll: () => Recheck,
  processes: Pick<Processes, 'on'>,
  log: Pick<FastifyBaseLogger, 'error'>,
): () => void {
  let stopped = false;
  let lastVersion = database.readVersion();
  let isRunning = false;
  let isRoundPending = false;

  function startRound(): void {
    isRoundPending = isRunning;
    if (isRunning) return;
    isRunning = true;
    runTurn(recheckAll());
  }

  function runTurn(checkNext: Recheck): void {
    if (stopped) return;
    if (!checkNext(CHECKS_PER_TURN)) {
      setImmediate(runTurn, checkNext);
      return;
    }
    isRunning = false;
    if (isRoundPending) startRound();
  }

  processes.on(SESSIONS_ENDED, startRound);
  const timer = setInterval(() => {
    try {
      const version = database.readVersion();
      if (version === lastVersion) return;
      lastVersion = version;
      startRound();
    } catch (error) {
      log.error({ err: error }, 'the database could not be watched');
    }
  }, POLL_INTERVAL_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}
