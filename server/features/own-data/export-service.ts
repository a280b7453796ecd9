import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { type ExportProgress, ownDataTexts, type OwnExport } from '#shared/api/own-data.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { DAY_MS } from '#shared/durations.ts';
import { EXPORTS_PER_DAY_MAX } from '#shared/limits.ts';
import { errorTexts } from '#shared/texts.ts';
import type { OwnSecret, PasswordSource, RequireOwnPassword } from '#server/accounts/own-password.ts';
import { isLeftToAdmins } from '#server/accounts/user-writes.ts';
import { AppError, conflict, notFound } from '#server/http/errors.ts';
import { createSharedRateLimit } from '#server/http/limits/shared-rate-limit.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { createDownloadTickets } from '#server/security/download-tickets.ts';
import { createSharedWork } from '#server/process/shared-work.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createExportFiles } from './export-files.ts';
import * as queries from './export-queries.ts';
import type { StartExport } from './export-thread.ts';

/** A file is kept so long, in operating time: a download may need a second try on another day. */
const KEPT_MS = DAY_MS;
/** Texts beside the images and documents; more than a long conversation takes. */
const TEXT_BYTES = 64 * 2 ** 20;

type Asking = { secret: OwnSecret; source: PasswordSource };

export type ExportDeps = {
  startExport: StartExport;
  requireOwnPassword: RequireOwnPassword;
  /** Null when the session no longer counts. */
  resolveSession: (sessionId: string) => Promise<CurrentUser | null>;
  log: Pick<FastifyBaseLogger, 'error'>;
};

/** A copy that waits or is being made. */
type Job = {
  userId: string;
  file: string;
  /** Whether its row is committed. */
  isStored: boolean;
  percent: number;
  stop: (() => Promise<void>) | null;
  isDropped: boolean;
};

export type OpenedExport = { fileName: string; sizeBytes: number; content: Readable };

const BEGUN: ExportProgress = { state: 'running', percent: 0, ahead: 0 };
const nothing = { percent: null, ahead: null, url: null, expires_at: null, bytes: null };

/** The copy of the own data: asked for, made one at a time in the whole program, downloaded for a day (R-ACCESS-76). */
export function createExportService(
  context: ServiceContext,
  { startExport, requireOwnPassword, resolveSession, log }: ExportDeps,
) {
  const { orm, policy, write, now, operatingNow, publish, processes, proofsDir, filesFolder, requireFiles, timeZone } =
    context;
  const files = createExportFiles(proofsDir);
  const tickets = createDownloadTickets(context, 'pbb-kita/export-tickets/1');
  const askedOfDay = createSharedRateLimit(context, 'copies of own data', EXPORTS_PER_DAY_MAX, DAY_MS);
  /** By file, also those that wait. */
  const works = createSharedWork(processes, 'copy of own data');
  /** By account, in the order of their turns: the first is being made. */
  const jobs = new Map<string, Job>();
  let running: Promise<void> | null = null;
  let isClosed = false;

  const progressOf = (job: Job): ExportProgress => ({
    state: 'running',
    percent: job.percent,
    ahead: [...jobs.keys()].indexOf(job.userId),
  });
  const publishProgress = (job: Job): void => publish.toUser(job.userId, 'export:changed', progressOf(job));

  /** @throws 409, 429 */
  function requireTurn({ id }: CurrentUser): void {
    if (jobs.has(id)) throw conflict(ownDataTexts.running);
    if (context.rateLimits && askedOfDay.isReached(id)) throw new AppError(429, ownDataTexts.tooMany);
  }

  /** Admins too: the copy must not take the space that the server needs. @throws 503, 507 */
  async function requireSpace(userId: string): Promise<void> {
    await requireFiles();
    const space = context.readDiskSpace();
    if (!space) return;
    const freeBytes = space.freeBytes - TEXT_BYTES - (await queries.sumFileBytes(orm, userId));
    if (isLeftToAdmins({ ...space, freeBytes })) throw new AppError(507, errorTexts.storageFull, { isExpected: true });
  }

  async function make(job: Job): Promise<void> {
    const { userId, file } = job;
    if (job.isDropped) return;
    await requireSpace(userId);
    const plan = {
      userId,
      proofsDir,
      path: files.begin(file),
      fileBytes: await queries.sumFileBytes(orm, userId),
      nowMs: now(),
      timeZone,
    };
    const made = startExport(plan, (percent) => {
      job.percent = percent;
      publishProgress(job);
    });
    job.stop = made.stop;
    // The account went in the same moment.
    if (job.isDropped || isClosed) void made.stop();
    const bytes = await made.bytes;
    // Else the photos are missing in it.
    await requireFiles();
    await files.finish(file);
    const end = { userId, file, bytes, since: operatingNow(), state: 'ready' } as const;
    if (job.isDropped || !(await write((tx) => queries.endExport(tx, end)))) await files.remove(file);
  }

  async function fail({ userId, file, isDropped }: Job, error: unknown): Promise<void> {
    await files.remove(file);
    // The next start says that it failed.
    if (isDropped || isClosed) return;
    log.error({ err: error, userId }, 'a copy of own data was not made');
    await write((tx) =>
      queries.endExport(tx, { userId, file, bytes: null, since: operatingNow(), state: 'failed' }),
    ).catch((cause: unknown) => log.error({ err: cause, userId }, 'the end of a copy was not written down'));
  }

  /** The account may have asked for another one meanwhile. */
  function removeJob(job: Job): void {
    if (jobs.get(job.userId) === job) jobs.delete(job.userId);
  }

  async function run(job: Job): Promise<void> {
    await make(job).catch((error: unknown) => fail(job, error));
    removeJob(job);
    works.end(job.file);
    const { state } = await status(job.userId);
    publish.toUser(job.userId, 'export:changed', { state, percent: null, ahead: null });
    for (const waiting of jobs.values()) publishProgress(waiting);
  }

  const findNext = (): Job | undefined => (isClosed ? undefined : [...jobs.values()].find(({ isStored }) => isStored));
  async function runAll(): Promise<void> {
    for (let job = findNext(); job; job = findNext()) await run(job);
  }

  /** Makes the copies that wait, one after the other. */
  function runNext(): void {
    if (running || isClosed) return;
    running = runAll()
      .catch((error: unknown) => log.error({ err: error }, 'copies of own data stopped'))
      .finally(() => {
        running = null;
        // One that was asked for in the last moment.
        if (findNext()) runNext();
      });
  }

  async function status(userId: string): Promise<Omit<OwnExport, 'url'> & { file: string | null }> {
    const job = jobs.get(userId);
    if (job) return { ...nothing, ...progressOf(job), file: null };
    const row = await queries.findExport(orm, userId);
    const leftMs = row ? row.since + KEPT_MS - operatingNow() : 0;
    if (!row || leftMs <= 0) return { ...nothing, state: 'none', file: null };
    // Its process publishes how far it is.
    if (row.state === 'running' && works.isGoingOn(row.file)) return { ...nothing, ...BEGUN, file: null };
    if (row.state !== 'ready') return { ...nothing, state: 'failed', file: null };
    return {
      ...nothing,
      state: 'ready',
      expires_at: new Date(now() + leftMs).toISOString(),
      bytes: row.bytes,
      file: row.file,
    };
  }

  async function read({ id, sessionId }: CurrentUser): Promise<OwnExport> {
    const { file, ...shown } = await status(id);
    const url = file === null ? null : `/api/auth/export-files/${tickets.issue({ name: file, sessionId })}`;
    return { ...shown, url };
  }

  /** Removes what has been kept for a day, and files that no row names. */
  async function sweep(): Promise<void> {
    // The copies on a lost share would count as gone.
    if ((await filesFolder?.isThere()) === false) return;
    // In most sweeps there is nothing that is worth a commit.
    if (await queries.hasExports(orm)) await write((tx) => queries.deleteEndedBefore(tx, operatingNow() - KEPT_MS));
    // The names come first: the file of a copy that begins or ends meanwhile is not among them, or in what follows.
    const found = await files.list();
    const kept = new Set([...jobs.values()].map(({ file }) => file));
    for (const row of await queries.listExports(orm)) {
      if (row.state === 'running') kept.add(row.file);
      if (row.state !== 'ready') continue;
      // A restored database may name a file that was not in the archive, and a power cut may cut one off.
      if ((await files.sizeOf(row.file)) === row.bytes) kept.add(row.file);
      else await write((tx) => queries.deleteExport(tx, row));
    }
    await Promise.all(found.filter((file) => !kept.has(file)).map((file) => files.remove(file)));
  }

  /** Copies whose process has ended have failed; called by the leader. */
  async function failLeft(): Promise<void> {
    for (const { userId, file, state } of await queries.listExports(orm)) {
      if (state !== 'running' || works.isGoingOn(file)) continue;
      const end = { userId, file, bytes: null, since: operatingNow(), state: 'failed' } as const;
      if (!(await write((tx) => queries.endExport(tx, end)))) continue;
      await files.remove(file);
      publish.toUser(userId, 'export:changed', { state: 'failed', percent: null, ahead: null });
    }
  }

  return {
    read,

    /**
     * Asks for a copy; it is made later.
     * @throws 401, 403, 409 while one is being made, 422 without the own password, 429 after three in a day, 503, 507
     */
    async start(currentUser: CurrentUser, { secret, source }: Asking): Promise<OwnExport> {
      const { id: userId } = currentUser;
      requireTurn(currentUser);
      await requireOwnPassword(currentUser, secret, source);
      await requireSpace(userId);
      // Of many simultaneous calls one passes.
      requireTurn(currentUser);
      const asked = askedOfDay.count(userId);
      const file = `${randomUUID()}.zip`;
      const job: Job = { userId, file, isStored: false, percent: 0, stop: null, isDropped: false };
      jobs.set(userId, job);
      works.begin(job.file);
      try {
        const before = await write(async (tx) => {
          await policy.requireLiveSession(tx, currentUser);
          const row = await queries.findExport(tx, userId);
          // At another process.
          if (row?.state === 'running' && works.isGoingOn(row.file)) throw conflict(ownDataTexts.running);
          await queries.startExport(tx, { userId, file: job.file, since: operatingNow() });
          return row;
        });
        job.isStored = true;
        if (before) await files.remove(before.file);
      } catch (error) {
        removeJob(job);
        works.end(job.file);
        askedOfDay.takeBack(userId, asked);
        throw error;
      }
      runNext();
      return read(currentUser);
    },

    /** @throws 404 for every reason, so that a caller without the right learns nothing; 503 */
    async open(ticket: string): Promise<OpenedExport> {
      const content = tickets.read(ticket);
      const currentUser = content && (await resolveSession(content.sessionId));
      const { file, bytes } = currentUser ? await status(currentUser.id) : { file: null, bytes: null };
      if (file === null || file !== content?.name) throw notFound(errorTexts.pathMissing);
      await requireFiles();
      const opened = await files.open(file);
      if (!opened || bytes === null) throw notFound(errorTexts.pathMissing);
      return { fileName: `data-saya-${todayIn(timeZone, now())}.zip`, sizeBytes: bytes, content: opened };
    },

    /** Takes the copy of an account away that was deleted. */
    async drop(userId: string): Promise<void> {
      const job = jobs.get(userId);
      if (job) {
        job.isDropped = true;
        await job.stop?.();
      }
      await sweep();
    },

    /** Before the first request: what a crash interrupted has failed, and its file goes. */
    async recover(): Promise<void> {
      if (processes.isLeader()) await failLeft();
      await sweep();
    },

    failLeft,

    sweep,

    async waitUntilIdle(): Promise<void> {
      await running;
    },

    async close(): Promise<void> {
      isClosed = true;
      for (const { stop } of jobs.values()) await stop?.();
      await running;
    },
  };
}
