import { dirname } from 'node:path';
import { type AuditLog, createAuditLog } from './audit/audit-log.ts';
import type { Checkpoints, CommitObserver, Database } from './db/database.ts';
import type { Connection, Write } from './db/engine.ts';
import type { QueryWorker } from './db/query-worker.ts';
import { type DiskSpace, readDiskSpace } from './files/disk-space.ts';
import { filesAway } from './http/errors.ts';
import type { SessionGuards } from './http/session-guards.ts';
import { createPolicy, type Policy } from './accounts/policy.ts';
import { createPresence, type Presence } from './realtime/presence.ts';
import type { FilesFolder } from './process/files-folder.ts';
import { alone, type Processes } from './process/processes.ts';
import { createPublish, type Publish } from './realtime/publish.ts';
import type { RealtimeNamespace } from './realtime/socket-types.ts';
import { forgetReplaced } from './records/record-index.ts';
import type { Quota, Settings } from './settings.ts';
import { createUserWrites, type UserWrites } from './accounts/user-writes.ts';
import { createWrongTries, type WrongTries } from './accounts/wrong-tries.ts';

/**
 * The queries that run in the query worker, by name. Each feature adds its own in its `register.ts`; this file must not
 * import features, because they import it. `worker-queries.ts` holds the functions.
 */
export interface WorkerQueryMap {}
/** A mapped type, because `QueryWorker` needs an index signature and an interface has none. */
export type WorkerQueries = { [Name in keyof WorkerQueryMap]: WorkerQueryMap[Name] };

/** The dependencies of every service; created once by `buildApp`. */
export type ServiceContext = {
  /** For quick reads on the event loop, never inside of a change, which has its own `tx`. Changes go through `write`. */
  orm: Connection;
  write: Write;
  /** Resolves after the callers of all changes of the last commit have published their events. */
  commitSettled: () => Promise<void>;
  policy: Policy;
  /** Called after a commit that deletes texts: resolves when they are gone from the disk too, unless it is full. */
  eraseDeleted: () => Promise<void>;
  checkpoints: Checkpoints;
  /** Adds entries inside the transaction of the change that they describe. */
  audit: AuditLog;
  /** For queries that would hold the event loop. */
  queryWorker: QueryWorker<WorkerQueries>;
  /** Sends events to sockets; called after the commit. */
  publish: Publish;
  presence: Presence;
  /** The other processes of the office; none on one file. */
  processes: Processes;
  /** Epoch milliseconds; tests replace the clock. */
  now: () => number;
  /** Milliseconds that only run forward, for limits and waiting times. */
  monotonicNow: () => number;
  /** The earlier and the later of two clocks: that of the computer, and one that no setting of it reaches (R-AUTH-24). */
  earliestNow: () => number;
  latestNow: () => number;
  /** Whole milliseconds of operating time, for what must not end or age by a clock that is set (R-RUN-18). */
  operatingNow: () => number;
  /** Counts wrong tries so that a restart forgets none. */
  wrongTries: WrongTries;
  timeZone: string;
  rateLimits: boolean;
  /** Whether admins without a second factor reach only its set-up. */
  adminsNeedFactor: boolean;
  /** Bounds what one account stores. */
  quota: Quota;
  /** Signs tokens, proof links and download tickets. */
  secret: string;
  proofsDir: string;
  /** Null on one file, whose folder of files is on the same disk. */
  filesFolder: FilesFolder | null;
  /** Asked before files are written or read. @throws 503 while the folder of files is lost (R-RUN-29) */
  requireFiles: () => Promise<void>;
  /** Of the disk that holds the data folder; null where the system does not report it. */
  readDiskSpace: () => DiskSpace | null;
  /** Bounds what users make the database grow by. */
  userWrites: UserWrites;
};

/** The parameters of every feature's `register` function. */
export type FeatureDeps = { context: ServiceContext; guards: SessionGuards };

type ContextDeps = Pick<
  ServiceContext,
  'queryWorker' | 'now' | 'monotonicNow' | 'operatingNow' | 'secret' | 'proofsDir'
> & {
  database: Database;
  settings: Pick<Settings, 'timeZone' | 'rateLimits'> & Partial<Pick<Settings, 'quota' | 'adminsNeedFactor'>>;
  /** Null until the namespace is open; until then events go nowhere. */
  namespace: () => RealtimeNamespace | null;
  writeQueueObserver: CommitObserver | undefined;
  /** Told when the log of the database cannot be emptied. */
  checkpointFailed?: (error: unknown) => void;
  /** Without them this process is alone. */
  processes?: Processes;
  filesFolder?: FilesFolder | null;
  /** Else that of the disk which holds the data folder. */
  readDiskSpace?: () => DiskSpace | null;
};

export function createServiceContext(deps: ContextDeps): ServiceContext {
  const { database, settings, now, monotonicNow } = deps;
  const { adminsNeedFactor = false } = settings;
  const { processes = alone, filesFolder = null } = deps;
  const { readDiskSpace: readSpace = () => readDiskSpace(dirname(deps.proofsDir)) } = deps;
  const startedAtMs = now() - monotonicNow();
  // The monotonic clock has fractions, and the database keeps whole milliseconds.
  const runningNow = (): number => Math.floor(startedAtMs + monotonicNow());
  const earliestNow = (): number => Math.min(now(), runningNow());
  const latestNow = (): number => Math.max(now(), runningNow());
  const checkpoints = database.createCheckpoints(deps.checkpointFailed);
  const observer: CommitObserver = {
    committed(ms, jobs) {
      deps.writeQueueObserver?.committed(ms, jobs);
      checkpoints.committed();
    },
  };
  const { read: orm, write, settled } = database.createEngine(observer);
  return {
    orm,
    write,
    commitSettled: settled,
    policy: createPolicy(earliestNow, adminsNeedFactor),
    checkpoints,
    async eraseDeleted() {
      // The record indexer logs a failure and tries again, and the log is emptied all the same.
      await forgetReplaced({ orm, write }).catch(() => undefined);
      await checkpoints.eraseDeleted();
    },
    audit: createAuditLog(now),
    queryWorker: deps.queryWorker,
    publish: createPublish(deps.namespace, processes),
    presence: createPresence(monotonicNow, processes),
    processes,
    now,
    monotonicNow,
    earliestNow,
    latestNow,
    operatingNow: deps.operatingNow,
    wrongTries: createWrongTries({ orm, write, operatingNow: deps.operatingNow }),
    timeZone: settings.timeZone,
    rateLimits: settings.rateLimits,
    adminsNeedFactor,
    quota: settings.quota ?? { records: null, proofBytes: null },
    secret: deps.secret,
    proofsDir: deps.proofsDir,
    filesFolder,
    requireFiles: async () => {
      if (filesFolder && !(await filesFolder.isThere())) throw filesAway();
    },
    readDiskSpace: readSpace,
    userWrites: createUserWrites({ monotonicNow, rateLimits: settings.rateLimits, readSpace }),
  };
}
