import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import type { Processes } from './processes.ts';

/** The folder of photos and documents of an office on PostgreSQL: a share that a computer can lose (R-RUN-29). */
export type FilesFolder = {
  /** Looks now; false also while the share hangs. */
  isThere: () => Promise<boolean>;
  /** Whether it is lost here while another process still has it. */
  isElsewhere: () => Promise<boolean>;
  /** The computers that have lost it, as far as their processes have told. */
  lostAt: () => Promise<string[]>;
  close: () => void;
};

type Told = { host: string; isLost: boolean };

const TOPIC = 'folder of files';
/** The log and the system page tell a loss after this time at most, also when nobody uploads. */
const LOOK_EVERY_MS = 10_000;

/** @param look see server/db/postgres/office-files.ts */
export function watchFilesFolder(
  processes: Pick<Processes, 'tell' | 'on' | 'onJoined' | 'onLeft' | 'others'>,
  look: () => Promise<boolean>,
  log: Pick<FastifyBaseLogger, 'error' | 'info'>,
  host = hostname(),
): FilesFolder {
  let isLost = false;
  const lostElsewhere = new Map<string, string>();
  const tellOwn = (): void => processes.tell(TOPIC, { host, isLost } satisfies Told);
  const forget = (from: string): void => void lostElsewhere.delete(from);
  processes.on(TOPIC, (told: Told, from) => {
    if (told.isLost) lostElsewhere.set(from, told.host);
    else forget(from);
  });
  processes.onJoined(tellOwn);
  processes.onLeft(forget);

  async function isThere(): Promise<boolean> {
    const isAway = !(await look());
    if (isAway !== isLost) {
      isLost = isAway;
      if (isLost) log.error('the folder of photos and documents is lost: uploads are refused');
      else log.info('the folder of photos and documents is there again');
      tellOwn();
    }
    return !isAway;
  }

  const timer = setInterval(() => void isThere(), LOOK_EVERY_MS);
  timer.unref();
  return {
    isThere,
    isElsewhere: async () => !(await isThere()) && lostElsewhere.size < processes.others(),
    async lostAt() {
      await isThere();
      return [...new Set([...(isLost ? [host] : []), ...lostElsewhere.values()])].toSorted();
    },
    close: () => clearInterval(timer),
  };
}
