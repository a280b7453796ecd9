import { open, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { systemTexts, type BackupsData } from '#shared/api/system.ts';
import { errorTexts } from '#shared/texts.ts';
import type { Backups } from '#server/operations/backups/keeper.ts';
import type { Context } from '#server/context.ts';
import type { Orm } from '#server/db/open.ts';
import { conflict, invalid, notFound } from '#server/http/errors.ts';
import type { Viewer } from '#server/http/session.ts';
import { presentBackups } from './present.ts';
import { createTickets } from './tickets.ts';

type Deps = {
  backups: Backups;
  /** Whether the password is that of the one who asks. @throws 429 after too many wrong ones */
  isOwnPassword: (viewer: Viewer, password: string, address: string) => Promise<boolean>;
  /** Whom a session stands for at this moment, or null when it no longer counts. */
  resolveSession: (sessionId: string) => Viewer | null;
  log: Pick<FastifyBaseLogger, 'error'>;
};
export type BackupDownload = { name: string; viewer: Viewer; file: FileHandle; sizeBytes: number };

/** Backups as administrators handle them. */
export function createBackupService(
  context: Pick<Context, 'secret' | 'now' | 'commit' | 'audit'>,
  { backups, isOwnPassword, resolveSession, log }: Deps,
) {
  const { audit, commit } = context;
  const tickets = createTickets(context);

  /** On a full disk nothing can be written down, but that is when somebody needs a backup most. */
  async function writeDown(change: (tx: Orm) => void): Promise<void> {
    await commit(change).catch((error: unknown) => log.error({ err: error }, 'what was done was not written down'));
  }

  /** By the list and never by the path: what is in the list is one of ours. @throws 404 */
  async function requireBackup(name: string): Promise<void> {
    const { backups: all } = await backups.state();
    if (!all.some((backup) => backup.name === name)) throw notFound(systemTexts.backupMissing);
  }

  return {
    async list(): Promise<BackupsData> {
      return presentBackups(await backups.state());
    },

    /** Starts one and does not wait for it. @throws 409 while one is being made */
    async makeNow(viewer: Viewer): Promise<BackupsData> {
      if (!backups.makeNow()) throw conflict(systemTexts.backupRunning);
      await writeDown((tx) => audit.backupStarted(tx, viewer));
      return presentBackups(await backups.state());
    },

    /**
     * A backup holds everybody's data and password hashes: a session alone does not open it.
     * @returns a link for this session, good for ten minutes
     * @throws 404, 422 for a wrong password, 429 after ten of them
     */
    async issueLink(viewer: Viewer, name: string, password: string, address: string): Promise<string> {
      await requireBackup(name);
      if (!(await isOwnPassword(viewer, password, address))) throw invalid('password', systemTexts.passwordWrong);
      return `/api/admin/backup-files/${tickets.issue({ name, sessionId: viewer.sessionId })}`;
    },

    /** @throws 404 for whatever reason: who has no right learns nothing else */
    async openDownload(ticket: string): Promise<BackupDownload> {
      const asked = tickets.read(ticket);
      const viewer = asked && resolveSession(asked.sessionId);
      if (!asked || !viewer?.isAdmin) throw notFound(errorTexts.pathMissing);
      await requireBackup(asked.name);
      const file = await open(join(backups.backupsDir, asked.name), 'r');
      const { size } = await file.stat();
      await writeDown((tx) => audit.backupDownloaded(tx, viewer, asked.name));
      return { name: asked.name, viewer, file, sizeBytes: size };
    },
  };
}
export type BackupService = ReturnType<typeof createBackupService>;
