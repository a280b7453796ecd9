import type { FastifyBaseLogger } from 'fastify';
import type { Sqlite } from '#server/db/open.ts';

/** A session that another program ended (`admin reset-password`) is over within about this. */
const LOOK_EVERY_MS = 1000;
/** One turn of the event loop checks so many: a thousand at once would hold up everybody's chat. */
const CHECKS_PER_TURN = 200;

/** One round over all sockets, in steps of at most so many. @returns whether it is through */
export type Recheck = (most: number) => boolean;

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
  let known = versionOf(sqlite);
  let running = false;
  let again = false;

  function start(): void {
    again = running;
    if (running) return;
    running = true;
    turn(recheckAll());
  }

  function turn(checkSome: Recheck): void {
    if (stopped) return;
    if (!checkSome(CHECKS_PER_TURN)) {
      setImmediate(turn, checkSome);
      return;
    }
    running = false;
    if (again) start();
  }

  const timer = setInterval(() => {
    try {
      const version = versionOf(sqlite);
      if (version === known) return;
      known = version;
      start();
    } catch (error) {
      log.error({ err: error }, 'the database could not be watched');
    }
  }, LOOK_EVERY_MS);
  timer.unref();
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

/** Differs from the last answer once another connection has committed something. */
const versionOf = (sqlite: Sqlite): unknown => sqlite.pragma('data_version', { simple: true });
