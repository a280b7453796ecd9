import { APP_NAME } from '#shared/texts.ts';
import { buildApp } from './app.ts';
import { DataFolderError, databaseFault, loadSecret, openDataFolder, type DataFolder } from './db/data-folder.ts';
import { migrate, NewerDatabaseError } from './db/migrate.ts';
import { openDatabase, type DatabaseHandle } from './db/open.ts';
import { putDatabaseAside } from './db/put-aside.ts';
import { isReadingWorker, serveReads, workerReader } from './db/reader.ts';
import { FirstAdminError, makeFirstAdmin } from './features/auth/first-admin.ts';
import { sweepProofs } from './features/tax-records/proof-sweep.ts';
import { heavyReads } from './heavy-reads.ts';
import { createDrain } from './http/connections.ts';
import { ListenError, listenOn } from './http/listen.ts';
import { loggerOptions } from './http/logging.ts';
import { programResources } from './program-resources.ts';
import type { Resources } from './resources.ts';
import { readSettings } from './settings.ts';

/** How long requests in flight may take to finish once the server closes. */
const DRAIN_MS = 3500;
/** Past this the process ends whatever still holds it (contract 1: within 5 seconds). */
const CLOSE_WITHIN_MS = 4500;

/** Settings that make no sense, one line each. */
class SettingsError extends Error {}

/** Faults whose message is the whole story for the person at the terminal. */
const PLAIN_FAULTS = [SettingsError, DataFolderError, FirstAdminError, ListenError];

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function main(): Promise<void> {
  // Whoever read our lines may stop reading; that is no reason to stop serving.
  process.stdout.on('error', () => undefined);
  const result = readSettings();
  if (!result.ok) throw new SettingsError(result.problems.join('\n'));
  const { settings } = result;
  // Whatever is written from here on is the owner's alone.
  process.umask(0o077);
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
    reads: workerReader<typeof heavyReads>(new URL(import.meta.url), folder.databaseFile),
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
}

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
      (error: unknown) => fail(error),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function fail(error: unknown): never {
  const isPlain = PLAIN_FAULTS.some((fault) => error instanceof fault);
  const text = error instanceof Error ? (isPlain ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

if (isReadingWorker()) serveReads(heavyReads);
else main().catch(fail);
