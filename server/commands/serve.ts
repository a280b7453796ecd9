import { APP_NAME } from '#shared/texts.ts';
import { buildApp } from '#server/app.ts';
import { DataFolderError, databaseFault, loadSecret, openDataFolder, type DataFolder } from '#server/db/data-folder.ts';
import { migrate, NewerDatabaseError } from '#server/db/migrate.ts';
import { openDatabase, type DatabaseHandle } from '#server/db/open.ts';
import { putDatabaseAside } from '#server/db/put-aside.ts';
import { workerReader } from '#server/db/reader.ts';
import { makeFirstAdmin } from '#server/features/auth/first-admin.ts';
import { sweepProofs } from '#server/features/tax-records/proof-sweep.ts';
import type { HeavyReads } from '#server/heavy-reads.ts';
import { createDrain } from '#server/http/connections.ts';
import { listenOn } from '#server/http/listen.ts';
import { loggerOptions } from '#server/http/logging.ts';
import { programResources } from '#server/program-resources.ts';
import type { Resources } from '#server/resources.ts';
import { startThread } from '#server/threads.ts';
import { KEEP_RUNNING, requireSettings, say, tell, type Command } from './command.ts';

/** How long requests in flight may take to finish once the server closes. */
const DRAIN_MS = 3500;
/** Past this the process ends whatever still holds it (contract 1: within 5 seconds). */
const CLOSE_WITHIN_MS = 4500;

/** The server itself: what the program does when it is started without a word. */
export const serve: Command = async () => {
  // Whoever read our lines may stop reading; that is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  const settings = requireSettings();
  if (!settings.rateLimits) say('PERINGATAN: RATE_LIMITS=off; batas percobaan dimatikan, hanya untuk uji beban.');

  const folder = openDataFolder(settings.dataDir);
  const secret = settings.jwtSecret ?? loadSecret(settings.dataDir);
  const resources = programResources();
  const database = openMigrated(folder, resources);

  const { server, context } = await buildApp({
    settings,
    database,
    secret,
    proofsDir: folder.proofsDir,
    resources,
    reads: workerReader<HeavyReads>(() => startThread('reads', { databaseFile: folder.databaseFile })),
    logger: loggerOptions(settings.logLevel),
  });
  const drain = createDrain(server.server);
  closeOnSignal(async () => {
    const stopDraining = drain(DRAIN_MS);
    await server.close();
    stopDraining();
    database.sqlite.close();
    folder.release();
  });

  await sweepProofs(context);
  const admin = await makeFirstAdmin(context, settings.admin);
  if (admin) {
    say(`Administrator pertama dibuat: ${admin.email}`);
    // Shown this once, never logged, and before anything else can fail: at the next start it is too late.
    if (admin.generatedPassword) say(`Password (hanya ditampilkan sekali ini): ${admin.generatedPassword}`);
  }
  const url = await listenOn(server, settings);
  say(`${APP_NAME} siap di ${url}`);
  return KEEP_RUNNING;
};

function openMigrated({ databaseFile, backupsDir }: DataFolder, resources: Resources): DatabaseHandle {
  try {
    const database = openDatabase(databaseFile);
    migrate(database.sqlite, resources, () => putDatabaseAside(database.sqlite, backupsDir));
    return database;
  } catch (error) {
    if (!(error instanceof NewerDatabaseError)) throw databaseFault(databaseFile, error);
    throw new DataFolderError(`DATA_DIR: ${error.message}; yang diterima: versi program yang sama atau lebih baru`, {
      cause: error,
    });
  }
}

function closeOnSignal(close: () => Promise<void>): void {
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    setTimeout(() => process.exit(0), CLOSE_WITHIN_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => process.exit(tell(error)),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
