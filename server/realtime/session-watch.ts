import type { FastifyBaseLogger } from 'fastify';
import type { Sqlite } from '#server/db/open.ts';

/** A session that another program ended (`admin reset-password`) is over within about this. */
const POLL_INTERVAL_MS = 1000;
/** One turn of the event loop checks so many: a thousand at once would hold up everybody's chat. */
const CHECKS_PER_TURN = 200;

/** One round over all sockets, in steps of at most so many. @returns whether it is through */
export type Recheck = (limit: number) => boolean;

/**
 * Notices what other processes write to the database and then looks at every connected socket's session again. What
 * this process writes itself does not count: whoever ends a session here says so.
 * @param recheckAll begins a round
 * @returns stops it
 */
export function watchSessions(
  sqlite: Sqlite,
  recheckAll: () => Recheck,
  log: Pick<FastifyBaseLogger, 'error'>,
): () => void {
  let stopped = false;
  let lastVersion = dataVersionOf(sqlite);
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

  const timer = setInterval(() => {
    try {
      const version = dataVersionOf(sqlite);
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

/** Differs from the last answer once another connection has committed something. */
const dataVersionOf = (sqlite: Sqlite): unknown => sqlite.pragma('data_version', { simple: true });
