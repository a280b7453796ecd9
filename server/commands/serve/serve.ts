import { dirname } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import { HOUR_MS, MINUTE_MS } from '#shared/durations.ts';
import { APP_NAME } from '#shared/labels.ts';
import { buildApp } from '#server/app.ts';
import { createWorkerStart } from '#server/operations/backups/worker.ts';
import { DataFolderInUseError, openDataFolder, type DataFolder } from '#server/db/data-folder/data-folder.ts';
import { createQueryWorker } from '#server/db/query-worker.ts';
import { createListReader } from '#server/features/dhkp/reading/list-reader.ts';
import { createThreadExports, EXPORT_THREAD_LIMITS } from '#server/features/own-data/export-thread.ts';
import { createPushThread } from '#server/features/push/sending/push-thread.ts';
import { createFirstAdmin } from '#server/features/auth/first-admin.ts';
import { putOrphanedFilesAside } from '#server/uploads/orphaned-files.ts';
import type { WorkerQueries } from '#server/service-context.ts';
import { createSharedCheck } from '#server/http/trusted-proxies.ts';
import { createConnectionLimits } from '#server/http/listen/connection-limits.ts';
import { createConnectionDrain } from '#server/http/listen/graceful-shutdown.ts';
import { requireFreePorts } from '#server/http/listen/free-port.ts';
import { listenOn } from '#server/http/listen/listen.ts';
import { openLogFile } from '#server/http/logs/log-file.ts';
import { loggerOptions, logStream } from '#server/http/logs/logging.ts';
import { programName } from '#server/files/program-name.ts';
import { programResources } from '#server/files/program-resources.ts';
import { startListProcess } from '#server/commands/list-process.ts';
import { startThread } from '#server/commands/threads.ts';
import { copyFolderIn, holdsCopy, readCopyState } from '#server/operations/running-copy/copy-state.ts';
import { formatLocalDateTime } from '../backup/archive-argument.ts';
import { isUnused } from '#server/db/data-folder/expected-database.ts';
import type { Settings } from '#server/settings.ts';
import { createRunningCopy } from '#server/operations/running-copy/running-copy.ts';
import { removeExpiredCopies } from '#server/operations/installation/expired-copies.ts';
import { formatAddressLines } from '../terminal/address-lines.ts';
import {
  KEEP_RUNNING,
  parseOptions,
  printLine,
  reportCommandError,
  formatErrorText,
  type Command,
} from '../terminal/command.ts';
import { requireDataDir, requireSettings, type SettingsOptions } from '../data-folder/command-settings.ts';
import { printFirstAdmin } from '../terminal/password-lines.ts';
import { closeOnSignal } from './close-on-signal.ts';
import { openHttps } from './https.ts';
import { openOffice } from './open-office.ts';
import { logStartupError } from './startup-error-log.ts';
import { CommandError, UsageError } from '../terminal/command-errors.ts';
import { dropPrivilegesToOwner, usesPrivilegedPort, warnOfRoot } from '../data-folder/drop-privileges.ts';
import { isServerRunning } from '../data-folder/running-server.ts';
import { restrictSettingsFile } from '../data-folder/settings-file.ts';

/** Long enough that a refused caller costs little, and short enough that a person does not notice. */
const REFUSAL_DELAY_MS = 500;
/** The time that requests in flight have to finish once the server closes. */
const DRAIN_MS = 3500;

/** Runs the server; the program does this when no command is given. */
export const serve: Command = async (args) => {
  const { values } = parseOptions(args, {
    data: { type: 'string' },
    port: { type: 'string' },
    tls: { type: 'boolean' },
  });
  const dataDir = requireDataDir(values);
  try {
    return await startServing(values);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The output of a service is hard to find, and a scheduled task of Windows has none.
    dropPrivilegesToOwner(dataDir);
    logStartupError(dataDir, formatErrorText(error));
    throw error;
  }
};

/** @throws CommandError on a new computer whose second folder has a running copy: the office goes on from there */
function requireNoCopyToRestore({ dataDir, timeZone, backup, postgres }: Settings): void {
  const { secondDir, runningCopy } = backup;
  if (secondDir === null || !runningCopy || postgres || !isUnused(dataDir)) return;
  const folder = copyFolderIn(secondDir);
  if (!holdsCopy(folder)) return;
  const at = formatLocalDateTime(readCopyState(folder)?.atMs ?? 0, timeZone);
  throw new CommandError(
    `Di ${secondDir} ada salinan berjalan dari ${at}. Pulihkan dengan: ${programName()} restore "${folder}", atau mulai kantor baru dengan BACKUP_RUNNING_COPY=off.`,
  );
}

async function startServing(given: SettingsOptions): Promise<typeof KEEP_RUNNING> {
  const settings = requireSettings({ ...given, keepsRoot: usesPrivilegedPort });
  if (!settings.rateLimits) printLine('PERINGATAN: RATE_LIMITS=off; batas percobaan dimatikan, hanya untuk uji beban.');
  if (settings.pushAllow.length > 0)
    printLine(
      `PERINGATAN: PUSH_ALLOW=${settings.pushAllow.join(',')}; notifikasi boleh dikirim ke alamat itu tanpa pemeriksaan, hanya untuk pengujian.`,
    );

  const rootWarning = warnOfRoot(settings);
  if (rootWarning !== null) printLine(rootWarning);

  // This comes before anything is created. A running server has the port itself; the lock of its folder says so.
  if (!isServerRunning(settings.dataDir)) await requireFreePorts(settings);
  requireNoCopyToRestore(settings);
  const folder = openDataFolder(settings.dataDir);
  restrictSettingsFile(settings.dataDir);
  const resources = programResources();
  const office = await openOffice(folder, settings, resources);
  const { database, source, secret, proofsDir, share, outsideBackups, openBus } = office;
  const https = await openHttps(settings, database.sharedTexts);

  const logFile = openLogFile(settings.dataDir);
  const { secondDir, runningCopy: isCopyWanted } = settings.backup;
  const runningCopy =
    secondDir !== null && isCopyWanted && outsideBackups === null
      ? createRunningCopy({
          paths: { ...folder, dataDir: settings.dataDir },
          secondDir,
          startThread: (data) => startThread('copy', data),
        })
      : null;
  const { server, context, backups, installation } = await buildApp({
    settings,
    database,
    secret,
    proofsDir,
    resources,
    backups: {
      paths: { ...folder, dataDir: settings.dataDir },
      settings: settings.backup,
      start: createWorkerStart((job) => startThread('backup', job)),
      outside: outsideBackups,
    },
    queryWorker: createQueryWorker<WorkerQueries>((lane) => startThread('queries', { source, lane })),
    listReader: createListReader({ startProcess: startListProcess }),
    startExport: createThreadExports((plan) => startThread('export', { source, plan }, EXPORT_THREAD_LIMITS)),
    push: { transport: createPushThread(() => startThread('push', null)) },
    ...(openBus ? { openBus } : {}),
    ...share,
    runningCopy,
    beforeUploadRemoved: () => runningCopy?.countRemovedUpload(),
    logger: loggerOptions(settings.logLevel, logStream(logFile)),
    metricsToken: settings.metricsToken,
    refusalDelayMs: REFUSAL_DELAY_MS,
    network: https.network,
    localAuthority: https.localAuthority,
    publicSite: https.publicSite,
  });
  const limits = createConnectionLimits({ isShared: createSharedCheck(settings) });
  limits.bind(server.server);
  https.bind(server, limits);
  const drain = createConnectionDrain(server.server);
  // An uncaught error is logged too, because the output of a service is hard to find.
  const logEnd = (error: Error): void => server.log.fatal({ err: error }, 'the program ends');
  process.on('uncaughtExceptionMonitor', logEnd);
  const checkLock = createLockCheck(folder, {
    log: server.log,
    endProgram(error) {
      logEnd(error);
      process.exit(reportCommandError(error));
    },
  });
  const everyMinute = setInterval(() => {
    checkLock();
    // Until then the write-ahead log still holds edited and deleted texts.
    void context.eraseDeleted();
  }, MINUTE_MS);
  everyMinute.unref();
  closeOnSignal(async () => {
    clearInterval(everyMinute);
    const stopDraining = drain(DRAIN_MS);
    await server.close();
    stopDraining();
    installation.close();
    await runningCopy?.stop();
    await office.close();
    await logFile.close();
    folder.release();
  });

  installation.start();
  const swept = await putOrphanedFilesAside(context, { isShared: outsideBackups !== null });
  if (swept.putAside + swept.returned > 0)
    server.log.warn(swept, 'files that the database does not name were put aside');
  runningCopy?.start(context.checkpoints, installation.identity, server.log);
  // Printed before any other step can fail: the next start does not print the password again.
  printFirstAdmin(await createFirstAdmin(context, settings.admin));
  const url = await listenOn(server, settings);
  await https.listen(url, context.processes);
  backups.schedule();
  const sweepCopies = async (): Promise<void> => {
    // The copies on a lost share would count as gone, and a share that hangs would hold the event loop.
    if ((await context.filesFolder?.isThere()) === false) return;
    const removed = await removeExpiredCopies(
      { dataDir: settings.dataDir, backupsDir: folder.backupsDir, filesDir: dirname(proofsDir) },
      installation,
    );
    if (removed.length > 0) server.log.info({ removed }, 'expired copies of old data were removed');
  };
  const sweepCopiesAndLog = (): void =>
    void sweepCopies().catch((error: unknown) => server.log.error({ err: error }, 'old copies were not removed'));
  sweepCopiesAndLog();
  setInterval(sweepCopiesAndLog, HOUR_MS).unref();
  for (const line of formatAddressLines(settings, Number(new URL(url).port || 80), process.stdout.isTTY))
    printLine(line);
  printLine(`${APP_NAME} siap di ${url}`);
  return KEEP_RUNNING;
}

type LockCheckDeps = {
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Ends the program at once. */
  endProgram: (error: DataFolderInUseError) => void;
};

/**
 * @returns a check that this server still has its data folder to itself, to be called once a minute (docs/requirements.md
 * R-RUN-3). When another process has taken the folder, every further write could harm the data, so the program ends.
 */
export function createLockCheck(folder: Pick<DataFolder, 'renewLock'>, { log, endProgram }: LockCheckDeps): () => void {
  return () => {
    try {
      if (folder.renewLock()) log.warn('server.lock was deleted while the server was running; it was locked anew');
    } catch (error) {
      if (error instanceof DataFolderInUseError) endProgram(error);
      else log.error({ err: error }, 'the lock of the data folder was not checked');
    }
  };
}
