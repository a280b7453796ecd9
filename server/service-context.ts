import type { AuditLog } from '#server/features/audit/audit-log.ts';
import type { WorkerQueries } from '#server/worker-queries.ts';
import type { Write } from '#server/db/write-queue.ts';
import type { Connection } from '#server/db/open.ts';
import type { QueryWorker } from '#server/db/query-worker.ts';
import type { Policy } from '#server/policy.ts';
import type { Presence } from '#server/realtime/presence.ts';
import type { Publish } from '#server/realtime/publish.ts';

/** What every service stands on; made once by buildApp. */
export type ServiceContext = {
  /** For quick reads on the event loop; writes go through `commit`. */
  orm: Connection;
  write: Write;
  policy: Policy;
  /** Writes down who did what, inside the transaction that does it. */
  audit: AuditLog;
  /** Queries that would hold the event loop: they run in a worker. */
  queryWorker: QueryWorker<WorkerQueries>;
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
