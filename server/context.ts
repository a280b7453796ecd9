import type { Audit } from './features/audit/audit.ts';
import type { HeavyReads } from './heavy-reads.ts';
import type { Commit } from './db/commit.ts';
import type { Connection } from './db/open.ts';
import type { Reader } from './db/reader.ts';
import type { Presence } from './realtime/presence.ts';
import type { Publish } from './realtime/publish.ts';

/** What every service stands on; made once by buildApp. */
export type Context = {
  /** For quick reads on the event loop; writes go through `commit`. */
  orm: Connection;
  commit: Commit;
  /** Writes down who did what, inside the transaction that does it. */
  audit: Audit;
  /** Queries that would hold the event loop: they run in a worker. */
  reads: Reader<HeavyReads>;
  /** Tells connected people; called after a commit. */
  publish: Publish;
  presence: Presence;
  /** Epoch milliseconds; tests put their own clock here. */
  now: () => number;
  timeZone: string;
  rateLimits: boolean;
  /** Signs tokens and proof links. */
  secret: string;
  proofsDir: string;
};
