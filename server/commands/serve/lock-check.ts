import type { FastifyBaseLogger } from 'fastify';
import { DataFolderInUseError, type DataFolder } from '#server/db/data-folder/data-folder.ts';

type Deps = {
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Ends the program at once. */
  endProgram: (error: DataFolderInUseError) => void;
};

/**
 * @returns a check that this server still has its data folder to itself, to be called once a minute (docs/requirements.md
 * R-RUN-3). When another process has taken the folder, every further write could harm the data, so the program ends.
 */
export function createLockCheck(folder: Pick<DataFolder, 'renewLock'>, { log, endProgram }: Deps): () => void {
  return () => {
    try {
      if (folder.renewLock()) log.warn('server.lock was deleted while the server was running; it was locked anew');
    } catch (error) {
      if (error instanceof DataFolderInUseError) endProgram(error);
      else log.error({ err: error }, 'the lock of the data folder was not checked');
    }
  };
}
