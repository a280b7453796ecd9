import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { systemTexts, type BackupsData } from '#shared/api/system.ts';
import { errorTexts } from '#shared/texts.ts';
import type { BackupScheduler } from '#server/operations/backups/scheduler.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { Transaction } from '#server/db/open.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { CurrentUser } from '#server/http/session.ts';
import { presentBackups } from './present.ts';
import { createDownloadTickets } from './download-tickets.ts';

export type BackupServiceDeps = {
  backups: BackupScheduler;
  /** Whether the password is that of the one who asks. @throws 429 after too many wrong ones */
  isOwnPassword: (currentUser: CurrentUser, password: string, address: string) => Promise<boolean>;
  /** Whom a session stands for at this moment, or null when it no longer counts. */
  resolveSession: (sessionId: string) => CurrentUser | null;
  log: Pick<FastifyBaseLogger, 'error'>;
};
export type BackupDownload = { name: string; currentUser: CurrentUser; file: FileHandle; sizeBytes: number };

/** Backups as administrators handle them. */
export function createBackupService(
  context: Pick<ServiceContext, 'secret' | 'now' | 'write' | 'audit' | 'policy'>,
  { backups, isOwnPassword, resolveSession, log }: BackupServiceDeps,
) {
  const { audit, policy, write } = context;
  const tickets = createDownloadTickets(context);

  /** On a full disk nothing can be written down, but that is when somebody needs a backup most. */
  async function writeAuditEntry(change: (tx: Transaction) => void): Promise<void> {
    await write(change).catch((error: unknown) => log.error({ err: error }, 'what was done was not written down'));
  }

  /** By the list and never by the path: what is in the list is one of ours. @throws 404 */
  async function requireBackup(name: string): Promise<void> {
    const { backups: stored } = await backups.state();
    if (!stored.some((backup) => backup.name === name)) throw notFound(systemTexts.backupMissing);
  }

  return {
    async list(): Promise<BackupsData> {
      return presentBackups(await backups.state());
    },

    /** Starts one and does not wait for it. @throws 401, 403, 409 while one is being made */
    async makeNow(currentUser: CurrentUser): Promise<BackupsData> {
      policy.requireLiveAdmin(currentUser);
      if (!backups.makeNow()) throw conflict(systemTexts.backupRunning);
      await writeAuditEntry((tx) => audit.backupStarted(tx, currentUser));
      return presentBackups(await backups.state());
    },

    /**
     * A backup holds everybody's data and password hashes: a session alone does not open it.
     * @returns a link for this session, good for ten minutes
     * @throws 401, 403, 404, 422 for a wrong password, 429 after ten of them
     */
    async issueLink(currentUser: CurrentUser, name: string, password: string, address: string): Promise<string> {
      await requireBackup(name);
      if (!(await isOwnPassword(currentUser, password, address))) throw invalid('password', systemTexts.passwordWrong);
      // The check of the password takes time.
      policy.requireLiveAdmin(currentUser);
      return `/api/admin/backup-files/${tickets.issue({ name, sessionId: currentUser.sessionId })}`;
    },

    /** @throws 404 for whatever reason: who has no right learns nothing else */
    async openDownload(ticket: string): Promise<BackupDownload> {
      const ticketContent = tickets.read(ticket);
      const currentUser = ticketContent && resolveSession(ticketContent.sessionId);
      if (!ticketContent || !currentUser?.isAdmin) throw notFound(errorTexts.pathMissing);
      await requireBackup(ticketContent.name);
      const file = await open(join(backups.backupsDir, ticketContent.name), 'r');
      const { size } = await file.stat();
      await writeAuditEntry((tx) => audit.backupDownloaded(tx, currentUser, ticketContent.name));
      return { name: ticketContent.name, currentUser, file, sizeBytes: size };
    },
  };
}
export type BackupService = ReturnType<typeof createBackupService>;
