import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { CommitObserver, Database } from '#server/db/database.ts';
import type { Processes } from '#server/process/processes.ts';
import { sessionEnded } from '../errors.ts';
import { contentAnswer } from '../api-docs/openapi.ts';
import { registerKnownGauge, registerReachMetrics, type Reach } from './reach-metrics.ts';
import type { CurrentUser } from '../session-guards.ts';

/** The open sockets; a function, because they exist only once the server is built. */
type ListSockets = () => Iterable<{ data: { currentUser: CurrentUser } }>;

export type Metrics = {
  /** Called after every commit of the write queue. */
  writeQueueObserver: CommitObserver;
  /** Adds `GET /metrics` and counts every answer of the routes that are added after it (R-RUN-15). */
  register: (app: FastifyInstance, token: string, listSockets: ListSockets) => void;
  /** Adds what reaches people outside the office: certificate and pushes (R-ACME-30). */
  addReach: (reach: Reach) => void;
  /** Adds the place of this process among those of the office, and its connections to the database. */
  addProcesses: (processes: Pick<Processes, 'isLeader' | 'others'>) => void;
  /** Adds whether the folder of files is there (R-RUN-29). */
  addFilesFolder: (isThere: () => Promise<boolean>) => void;
  /** Adds how far the running copy is behind (R-SYS-40). @param readAgeMs null without a whole copy */
  addRunningCopy: (readAgeMs: () => number | null) => void;
};

const metricsSchema = {
  tags: ['Sistem'],
  summary: 'Ukuran-ukuran untuk Prometheus',
  description: 'Memerlukan METRICS_TOKEN sebagai "Authorization: Bearer …", bukan token sebuah sesi.',
  response: { 200: contentAnswer('text/plain') },
};
const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const COMMIT_SECONDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2];
const BATCH_JOBS = [1, 2, 5, 10, 20, 50, 100, 200];
const EVENT_LOOP_RESOLUTION_MS = 10;
const NS_PER_S = 1e9;

type MeasuredDatabase = Pick<Database, 'connectionsInUse' | 'countMessagesEver' | 'readSize' | 'takesWrites'>;

/** Metrics for Prometheus. Only made when there is a METRICS_TOKEN, because measuring costs time. */
export function createMetrics(database: MeasuredDatabase): Metrics {
  const registry = new Registry();
  const registers = [registry];

  const requests = new Counter({
    name: 'pbb_http_requests_total',
    help: 'Answers by route.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'pbb_http_request_seconds',
    help: 'From the request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: REQUEST_SECONDS,
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'pbb_commit_seconds',
    help: 'How long the event loop was held for one commit with all its changes.',
    buckets: COMMIT_SECONDS,
    registers,
  });
  const commitJobs = new Histogram({
    name: 'pbb_commit_changes',
    help: 'Changes that shared one commit.',
    buckets: BATCH_JOBS,
    registers,
  });

  registerDatabaseMetrics(database, registers);
  registerProcessMetrics(registers);
  const stopEventLoopMonitor = registerEventLoopGauge(registers);

  function register(app: FastifyInstance, token: string, listSockets: ListSockets): void {
    registerSocketGauge(listSockets, registers);
    app.addHook('onResponse', (request, reply, done) => {
      // One label for all paths without a route: a caller could otherwise create labels without limit.
      const route = request.routeOptions.url ?? 'client';
      const { method } = request;
      requests.inc({ method, route, status: reply.statusCode });
      requestSeconds.observe({ method, route }, reply.elapsedTime / 1000);
      done();
    });
    app.addHook('onClose', (_app, done) => {
      stopEventLoopMonitor();
      done();
    });
    const hasValidToken = createBearerCheck(token);
    app.get('/metrics', { schema: metricsSchema, logLevel: 'warn' }, async (request, reply) => {
      if (!hasValidToken(request)) throw sessionEnded();
      return reply
        .header('cache-control', 'no-store')
        .type(registry.contentType)
        .send(await registry.metrics());
    });
  }

  return {
    writeQueueObserver: {
      committed(ms, jobs) {
        commitSeconds.observe(ms / 1000);
        commitJobs.observe(jobs);
      },
    },
    register,
    addReach: (reach) => registerReachMetrics(reach, registers),
    addProcesses({ isLeader, others }) {
      const gauge = (name: string, help: string, read: () => number | null): void =>
        registerKnownGauge(name, help, read, registers);
      gauge('pbb_leader', 'Whether this process does what only one may do.', () => (isLeader() ? 1 : 0));
      gauge('pbb_other_processes', 'Other processes of the office that this one hears.', others);
      const help = 'Connections to the database that are in use or waited for.';
      gauge('pbb_database_connections_in_use', help, database.connectionsInUse);
      const canStore = async (): Promise<number> => ((await database.takesWrites()) ? 1 : 0);
      registerKnownGauge('pbb_database_takes_writes', 'Whether a change can be stored.', canStore, registers);
    },
    addFilesFolder(isThere) {
      const read = async (): Promise<number> => ((await isThere()) ? 1 : 0);
      registerKnownGauge('pbb_files_folder_there', 'Whether files can be stored.', read, registers);
    },
    addRunningCopy(readAgeMs) {
      const readSeconds = (): number | null => {
        const ageMs = readAgeMs();
        return ageMs === null ? null : ageMs / 1000;
      };
      const help = 'How far the running copy in the second folder is behind.';
      registerKnownGauge('pbb_running_copy_behind_seconds', help, readSeconds, registers);
    },
  };
}

/** Compares digests of equal length in constant time, so that the time says nothing about the token. */
function createBearerCheck(token: string): (request: FastifyRequest) => boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(`Bearer ${token}`);
  return ({ headers }) => timingSafeEqual(digest(headers.authorization ?? ''), expected);
}

type Registers = Registry[];

function registerSocketGauge(listSockets: ListSockets, registers: Registers): void {
  const sockets = new Gauge({
    name: 'pbb_sockets',
    help: 'Connected sockets by side.',
    labelNames: ['side'],
    registers,
    collect() {
      let admins = 0;
      let users = 0;
      for (const { data } of listSockets()) {
        if (data.currentUser.isAdmin) admins += 1;
        else users += 1;
      }
      sockets.set({ side: 'admin' }, admins);
      sockets.set({ side: 'user' }, users);
    },
  });
}

/** These values are read from the database at each scrape; nothing is counted between scrapes. */
function registerDatabaseMetrics(database: MeasuredDatabase, registers: Registers): void {
  const messages = new Counter({
    name: 'pbb_messages_stored_total',
    help: 'Chat messages ever stored in this database.',
    registers,
    async collect() {
      const count = await database.countMessagesEver();
      messages.reset();
      messages.inc(count);
    },
  });
  const size = new Gauge({
    name: 'pbb_database_bytes',
    help: 'Size of the database, without its write-ahead log.',
    registers,
    async collect() {
      size.set(await database.readSize());
    },
  });
}

function registerProcessMetrics(registers: Registers): void {
  const memory = new Gauge({
    name: 'pbb_memory_bytes',
    help: 'Memory of the process by kind.',
    labelNames: ['kind'],
    registers,
    collect() {
      try {
        const { rss, heapUsed, external } = process.memoryUsage();
        memory.set({ kind: 'resident' }, rss);
        memory.set({ kind: 'heap' }, heapUsed);
        memory.set({ kind: 'external' }, external);
      } catch {
        // Memory usage cannot be read without /proc.
        memory.reset();
      }
    },
  });
  const cpu = new Counter({
    name: 'pbb_cpu_seconds_total',
    help: 'Processor time of the process.',
    registers,
    collect() {
      const { user, system } = process.cpuUsage();
      cpu.reset();
      cpu.inc((user + system) / 1e6);
    },
  });
  const uptime = new Gauge({
    name: 'pbb_start_time_seconds',
    help: 'When the process started, in seconds since 1970.',
    registers,
  });
  uptime.set(performance.timeOrigin / 1000);
}

/** @returns a function that stops measuring */
function registerEventLoopGauge(registers: Registers): () => void {
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_RESOLUTION_MS });
  delay.enable();
  const gauge = new Gauge({
    name: 'pbb_event_loop_delay_seconds',
    help: 'How late timers came since the last look, beyond their resolution.',
    labelNames: ['quantile'],
    registers,
    collect() {
      const resolutionNs = EVENT_LOOP_RESOLUTION_MS * 1e6;
      const delaySeconds = (ns: number): number => (delay.count === 0 ? 0 : Math.max(0, ns - resolutionNs) / NS_PER_S);
      for (const quantile of [0.5, 0.9, 0.99]) gauge.set({ quantile }, delaySeconds(delay.percentile(quantile * 100)));
      gauge.set({ quantile: 1 }, delaySeconds(delay.max));
      delay.reset();
    },
  });
  return () => void delay.disable();
}
