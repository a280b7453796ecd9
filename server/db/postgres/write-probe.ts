import { setTimeout as sleep } from 'node:timers/promises';
import { cancelStatement } from './cancel.ts';
import type { Connections } from './connect.ts';
import { isLost } from './lost.ts';

/** A balancer hears within this time that no change can be stored. */
const ANSWER_MAX_MS = 2000;
/** So long an answer is used again, and a stored change answers too. */
const KNOWN_MS = 2000;
/** PostgreSQL keeps a commit that waits for a standby also after its client is gone, so few are begun. */
const PROBE_MAX_MS = 30_000;

/**
 * Writes an empty entry into PostgreSQL's log of changes. Its commit waits for the disk, and for the standby when the
 * changes of the office wait for one. It needs no table, no right and no lock.
 */
const PROBE = `select pg_logical_emit_message(true, 'pbb-kita', '') where current_setting('transaction_read_only') = 'off'`;

type WriteProbe = {
  /** Whether a change can be stored now. At most one statement asks at a time, and one each two seconds. */
  takesWrites: () => Promise<boolean>;
  /** Called after the commit of a change. */
  committed: () => void;
};

async function storeNote(connections: Connections): Promise<boolean> {
  let failure: Error | undefined;
  const client = await connections.writer();
  try {
    const note = { text: PROBE, query_timeout: PROBE_MAX_MS };
    return (await client.query(note)).rowCount === 1;
  } catch (error) {
    failure = error as Error;
    // A commit that waits for a standby would stay in PostgreSQL.
    if (isLost(error)) cancelStatement(client);
    connections.failed(error);
    return false;
  } finally {
    client.release(failure);
  }
}

/** Finds out whether the database takes writes, not only whether it answers. */
export function createWriteProbe(connections: Connections): WriteProbe {
  let known = { takesWrites: false, untilMs: 0 };
  let running: { startedMs: number; outcome: Promise<boolean> } | null = null;

  function remember(takesWrites: boolean): boolean {
    known = { takesWrites, untilMs: performance.now() + KNOWN_MS };
    return takesWrites;
  }

  async function ask(): Promise<boolean> {
    try {
      return remember(await storeNote(connections).catch(() => false));
    } finally {
      running = null;
    }
  }

  return {
    committed: () => void remember(true),
    async takesWrites() {
      const now = performance.now();
      if (now < known.untilMs) return known.takesWrites;
      running ??= { startedMs: now, outcome: ask() };
      const { startedMs, outcome } = running;
      const late = new AbortController();
      const waited = sleep(Math.max(0, startedMs + ANSWER_MAX_MS - now), false, { signal: late.signal });
      try {
        return await Promise.race([outcome, waited]);
      } finally {
        waited.catch(() => undefined);
        late.abort();
      }
    },
  };
}
