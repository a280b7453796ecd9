import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { FastifyBaseLogger } from 'fastify';
import { systemTexts, type BackupsData } from '#shared/api/system.ts';
import { errorTexts } from '#shared/texts.ts';
import { openAsTar } from '#server/operations/backups/archive/tar-stream-of-folder.ts';
import { TAR_SUFFIX } from '#server/operations/backups/archive-names.ts';
import type { BackupScheduler } from '#server/operations/backups/scheduler.ts';
import type { RunningCopy } from '#server/operations/running-copy/copy-state.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/engine.ts';
import { createDownloadTickets } from '#server/security/download-tickets.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import { presentBackups } from './present.ts';
import { createDownloadRule } from './downloads.ts';

/** The origin of a request for a download. */
type DownloadSource = { address: string; deviceToken: string | undefined; signal: AbortSignal };
export type BackupServiceDeps = {
  backups: BackupScheduler;
  runningCopy: RunningCopy | null;
  /** Checks the caller's own password. @throws 429 after too many wrong ones */
  isOwnPassword: (currentUser: CurrentUser, password: string, source: DownloadSource) => Promise<boolean>;
  /** Null when the session no longer counts. */
  resolveSession: (sessionId: string) => Promise<CurrentUser | null>;
  log: Pick<FastifyBaseLogger, 'error'>;
};
export type BackupDownload = { fileName: string; currentUser: CurrentUser; content: Readable; sizeBytes: number };

/** Larger than the default of streams, because a backup can have gigabytes. */
const CHUNK_BYTES = 256 * 1024;

/** A folder is downloaded as one tar. */
async function openArchive(path: string): Promise<Omit<BackupDownload, 'currentUser'>> {
  if (!path.endsWith(TAR_SUFFIX)) return { fileName: `${basename(path)}${TAR_SUFFIX}`, ...(await openAsTar(path)) };
  const file = await open(path, 'r');
  const { size: sizeBytes } = await file.stat();
  return { fileName: basename(path), sizeBytes, content: file.createReadStream({ highWaterMark: CHUNK_BYTES }) };
}

/** Makes, lists and downloads backups, for admins (R-SYS-14). */
export function createBackupService(
  context: ServiceContext,
  { backups, runningCopy, isOwnPassword, resolveSession, log }: BackupServiceDeps,
) {
  const { orm, audit, policy, publish, write } = context;
  const tickets = createDownloadTickets(context, 'pbb-kita/backup-tickets/1');
  const requireOldAdmin = createDownloadRule(context);

  /** An error is only logged: on a full disk no entry can be stored, but backups are needed most then. */
  async function writeAuditEntry(change: (tx: Transaction) => Promise<void>): Promise<void> {
    await write(change).catch((error: unknown) => log.error({ err: error }, 'what was done was not written down'));
  }

  /** Looks the name up in the list of backups; a path from outside must never reach the file system. @throws 404 */
  async function requireBackup(name: string): Promise<void> {
    const { backups: stored } = await backups.state();
    if (!stored.some((backup) => backup.name === name)) throw notFound(systemTexts.backupMissing);
  }

  const list = async (): Promise<BackupsData> => presentBackups(await backups.state(), runningCopy?.status() ?? null);

  return {
    list,

    /** Starts a backup and does not wait for it. @throws 401, 403, 409 while another one is running */
    async makeNow(currentUser: CurrentUser): Promise<BackupsData> {
      await policy.requireLiveAdmin(orm, currentUser);
      if (backups.isOutside) throw conflict(systemTexts.backupsOutside);
      if (!backups.makeNow()) throw conflict(systemTexts.backupRunning);
      await writeAuditEntry((tx) => audit.backupStarted(tx, currentUser));
      return list();
    },

    /** Begins a running copy in a folder that is empty although a copy was there. @throws 401, 403, 409 for any other */
    async startRunningCopy(currentUser: CurrentUser): Promise<BackupsData> {
      await policy.requireLiveAdmin(orm, currentUser);
      if (!runningCopy?.startNew()) throw conflict(systemTexts.copyNotEmptied);
      await writeAuditEntry((tx) => audit.runningCopyStarted(tx, currentUser));
      return list();
    },

    /**
     * A backup holds the data and password hashes of all users, so a session alone must not open it.
     * @returns a link for this session, valid for ten minutes
     * @throws 401, 403 also for a new admin, 404, 422 for a wrong password, 429 after ten of them
     */
    async issueLink(currentUser: CurrentUser, name: string, password: string, source: DownloadSource): Promise<string> {
      await requireBackup(name);
      await requireOldAdmin(currentUser);
      const isRight = await isOwnPassword(currentUser, password, source);
      // The check takes time, and the password of an ended session may be another one now.
      await policy.requireLiveAdmin(orm, currentUser);
      if (!isRight) throw invalid('password', systemTexts.passwordWrong);
      return `/api/admin/backup-files/${tickets.issue({ name, sessionId: currentUser.sessionId })}`;
    },

    /** @throws 404 for every reason, so that an unauthorised caller learns nothing */
    async openDownload(ticket: string): Promise<BackupDownload> {
      const ticketContent = tickets.read(ticket);
      const currentUser = ticketContent && (await resolveSession(ticketContent.sessionId));
      if (!ticketContent || !currentUser?.isAdmin) throw notFound(errorTexts.pathMissing);
      await requireBackup(ticketContent.name);
      await requireOldAdmin(currentUser).catch(() => Promise.reject(notFound(errorTexts.pathMissing)));
      const opened = await openArchive(join(backups.backupsDir, ticketContent.name));
      await writeAuditEntry((tx) => audit.backupDownloaded(tx, currentUser, ticketContent.name));
      publish.toAdmins('notice:new', { actor_id: currentUser.id });
      return { ...opened, currentUser };
    },
  };
}
