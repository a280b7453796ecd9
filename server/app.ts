import { dirname } from 'node:path';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { ERASURE_HOURS_DEFAULT } from '#shared/limits.ts';
import { createInlineQueryWorker, type QueryWorker } from '#server/db/query-worker.ts';
import type { DiskSpace } from '#server/files/disk-space.ts';
import { createFolderPresence } from '#server/files/folder-presence.ts';
import type { Resources } from '#server/files/resources.ts';
import { createOutsideBackups } from '#server/operations/backups/outside-backups.ts';
import { keptMonths } from '#server/operations/backups/retention.ts';
import {
  type BackupScheduler,
  type BackupSchedulerDeps,
  createBackupScheduler,
} from '#server/operations/backups/scheduler.ts';
import {
  createInstallationRecord,
  type InstallationRecord,
} from '#server/operations/installation/installation-record.ts';
import { copyAgeMs, type RunningCopy } from '#server/operations/running-copy/copy-state.ts';
import type { LocalAuthority } from '#server/operations/tls/certificate-source.ts';
import type { Network } from '#server/operations/tls/network.ts';
import { trustRoutes } from '#server/operations/tls/trust-routes.ts';
import { readNewestOperatingTime } from './accounts/operating-time-queries.ts';
import type { Database } from './db/database.ts';
import { registerAreas } from './features/areas/routes.ts';
import { registerAudit } from './features/audit/routes.ts';
import { registerAuth } from './features/auth/register.ts';
import { createSessions, hashTicket } from './features/auth/sessions.ts';
import { createInlineListReader, type ListReader } from './features/dhkp/reading/list-reader.ts';
import { registerCards } from './features/cards/routes.ts';
import { registerDhkp } from './features/dhkp/register.ts';
import { registerErasures } from './features/erasures/routes.ts';
import { registerFirstSteps } from './features/first-steps/routes.ts';
import { registerNotices } from './features/notices/routes.ts';
import { registerQuickReplies } from './features/quick-replies/routes.ts';
import { createInlineExports, type StartExport } from './features/own-data/export-thread.ts';
import { registerOwnData } from './features/own-data/routes.ts';
import { registerOffice } from './features/office/register.ts';
import type { Delivery } from './features/push/delivery/delivery.ts';
import { registerPush, type PushDeps } from './features/push/register.ts';
import { registerRecoveries } from './features/recoveries/routes.ts';
import { registerReports } from './features/reports/routes.ts';
import { registerSecondFactor } from './features/second-factor/routes.ts';
import { registerRetention } from './features/retention/routes.ts';
import { type PublicNames, presentPublicReach } from './features/system/present.ts';
import { registerSystem } from './features/system/routes.ts';
import { createProofSource, registerTaxRecords } from './features/tax-records/register.ts';
import { createAttachmentSource } from '#server/features/chat/files/attachment-service.ts';
import { registerChat } from './features/chat/register.ts';
import type { StoreNotice } from './features/chat/sending/notices.ts';
import { registerUsers } from './features/users/routes.ts';
import { registerDocsPage } from './http/api-docs/api-docs.ts';
import { createHttpServer, registerHttpPlugins } from './http/http-server.ts';
import { registerHandbook } from './http/handbook.ts';
import { type PublicSite, registerPublicSite } from './http/public/public-site.ts';
import { createSessionGuards } from './http/session-guards.ts';
import { createMonotonicClock } from './process/monotonic-clock.ts';
import type { FormsOptions } from './http/bodies/multipart-form.ts';
import { registerClientFiles } from './http/static-files.ts';
import { createRefusalDelay } from './http/refusal-delay.ts';
import { createProxyTrust, createSharedCheck } from './http/trusted-proxies.ts';
import type { RealtimeNamespace } from './realtime/socket-types.ts';
import type { SocketLimits } from './realtime/socket-limits.ts';
import { startRealtime } from './realtime/namespace.ts';
import { watchFilesFolder } from './process/files-folder.ts';
import { alone, joinProcesses, type OpenBus } from './process/processes.ts';
import { findOfficeName } from './office/office-queries.ts';
import { createServiceContext, type ServiceContext, type WorkerQueries } from './service-context.ts';
import type { Settings } from './settings.ts';
import { createUploadFiles } from './uploads/upload-files.ts';
import { createUploadLinks } from './uploads/upload-links.ts';
import { uploadRoutes } from './uploads/upload-routes.ts';
import { workerQueries } from './worker-queries.ts';

export type AppDeps = {
  /** Without `quota` nothing bounds what an account stores; without `pushAllow` pushes go to public addresses only. */
  settings: Pick<Settings, 'timeZone' | 'corsOrigins' | 'trustedProxies' | 'rateLimits'> &
    Partial<Pick<Settings, 'quota' | 'pushAllow' | 'serviceWorker' | 'erasureHours' | 'adminsNeedFactor'>>;
  database: Database;
  secret: string;
  proofsDir: string;
  resources: Resources;
  backups: BackupSchedulerDeps;
  /** Without one, heavy queries run on the event loop: no second thread can open a database in memory. */
  queryWorker?: QueryWorker<WorkerQueries>;
  /** Without one, lists are read on the event loop. */
  listReader?: ListReader;
  /** Without one, copies of own data are made on the event loop. */
  startExport?: StartExport;
  /** Opens the line to the other processes of the office. Without one this process is alone. */
  openBus?: OpenBus;
  now?: () => number;
  /** Milliseconds that only grow; intervals are measured with them, because the clock may be set. */
  monotonicNow?: () => number;
  /** Delay of a refusal for sending too much, in milliseconds; 0 when absent. */
  refusalDelayMs?: number;
  socketLimits?: Partial<SocketLimits>;
  /** The token that opens `/metrics`. Without one there is no such page and nothing is measured. */
  metricsToken?: string | null;
  /** Tests put their own parts into the push notifications. */
  push?: Partial<PushDeps>;
  /** Without one no running copy is kept. */
  runningCopy?: RunningCopy | null;
  /** For the running copy, which must not miss a file. */
  beforeUploadRemoved?: () => void;
  /** Looks whether the folder of files is that of the office. Without it the folder cannot be lost (R-RUN-29). */
  hasFiles?: () => Promise<boolean>;
  /** Of a share, or of tests of a full disk. */
  readDiskSpace?: () => DiskSpace | null;
  /** Read again at every use, because addresses change. */
  network?: () => Network;
  /** Without one there is no page that explains how a device trusts it. */
  localAuthority?: LocalAuthority | null;
  /** Without one the server has no public name. */
  publicSite?: (PublicSite & PublicNames) | null;
  logger?: FastifyServerOptions['logger'];
};

export type App = {
  server: FastifyInstance;
  context: ServiceContext;
  backups: BackupScheduler;
  installation: InstallationRecord;
  /** Writes a notice into a conversation, inside the transaction of the change that it describes. */
  storeNotice: StoreNotice;
  pushes: Delivery;
  /** One check whether old messages and unused accounts are to be deleted now. */
  runRetention: (mayContinue: () => boolean) => Promise<void>;
};

const OPERATING_TIME = 'operating time';

/** Joins the plugins and the features; it does not listen. Tests build the same app. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { settings, database, secret, network, now = Date.now, monotonicNow = createMonotonicClock() } = deps;
  const { timeZone, corsOrigins } = settings;
  const isTrustedProxy = createProxyTrust(settings.trustedProxies);
  let namespace: RealtimeNamespace | null = null;
  const metrics = deps.metricsToken ? (await import('#server/http/logs/metrics.ts')).createMetrics(database) : null;
  const queryWorker = deps.queryWorker ?? createInlineQueryWorker(workerQueries, database.orm);
  const writeQueueObserver = metrics?.writeQueueObserver;
  const app = createHttpServer({ logger: deps.logger, isTrustedProxy });
  const { dataDir } = deps.backups.paths;
  const installation = createInstallationRecord({ dataDir, database, now, monotonicNow, log: app.log });
  installation.notBefore(await readNewestOperatingTime(database.orm));
  const processes = deps.openBus
    ? await joinProcesses(deps.openBus, monotonicNow, (error) =>
        app.log.error({ err: error }, 'what another process told was not followed'),
      )
    : alone;
  // All have the same operating time, so what one of them locks ends at all of them.
  processes.onJoined(() => processes.tell(OPERATING_TIME, installation.operatingMs()));
  processes.on(OPERATING_TIME, (ms: number) => installation.notBefore(ms));
  const filesFolder = deps.hasFiles ? watchFilesFolder(processes, deps.hasFiles, app.log) : null;
  const context = createServiceContext({
    ...deps,
    processes,
    filesFolder,
    now,
    monotonicNow,
    operatingNow: () => Math.floor(installation.operatingMs()),
    queryWorker,
    writeQueueObserver,
    checkpointFailed: (error) => app.log.error({ err: error }, 'the log of the database was not emptied'),
    namespace: () => namespace,
  });
  const { requireFiles, userWrites } = context;
  const forms: FormsOptions = {
    folder: deps.proofsDir,
    rateLimits: settings.rateLimits,
    async requireSpace(currentUser) {
      await requireFiles();
      userWrites.requireSpace(currentUser);
    },
  };
  const { refusalDelayMs = 0 } = deps;
  await registerHttpPlugins(app, { secret, corsOrigins, isTrustedProxy, uploads: forms, refusalDelayMs });
  if (deps.publicSite) registerPublicSite(app, deps.publicSite);
  if (deps.metricsToken) metrics?.register(app, deps.metricsToken, () => namespace?.sockets.values() ?? []);

  const sessions = createSessions(app.jwt, context);
  const { resolve, resolveSession } = sessions;
  const featureDeps = { context, guards: createSessionGuards(resolve), resolveSession };
  const { outside = null } = deps.backups;
  const backups =
    outside === null
      ? createBackupScheduler(deps.backups, { timeZone, now, installation, log: app.log })
      : createOutsideBackups(outside, now, async () => filesFolder?.isThere() ?? true);

  // This order is also the order of the API documentation.
  const stored = {
    uploads: createUploadFiles(deps.proofsDir, deps.beforeUploadRemoved, requireFiles),
    links: createUploadLinks(context),
  };
  const sources = [createProofSource(context), createAttachmentSource(context)];
  const crossOrigin = corsOrigins.length > 0;
  uploadRoutes(app, context, { links: stored.links, resolveSession, crossOrigin, sources });
  const auth = registerAuth(app, { ...featureDeps, sessions });
  registerSecondFactor(app, { ...featureDeps, ...auth, sessions, hashTicket });
  const { startExport = createInlineExports(database.orm) } = deps;
  const ownData = registerOwnData(app, { ...featureDeps, ...auth, startExport });
  const office = registerOffice(app, { ...featureDeps, ...stored, crossOrigin });
  const { bindClientEvents, messages, ...chat } = await registerChat(app, {
    ...featureDeps,
    ...auth,
    ...office,
    ...stored,
  });
  const allowedOrigins = settings.pushAllow ?? [];
  const contact = deps.publicSite ? `https://${deps.publicSite.domains[0]}` : undefined;
  const pushes = registerPush(app, {
    contact,
    ...featureDeps,
    ...auth,
    chat: messages,
    dataDir: dirname(deps.proofsDir),
    sharedTexts: database.sharedTexts,
    allowedOrigins,
    ...deps.push,
  });
  registerQuickReplies(app, featureDeps);
  const audit = registerAudit(app, featureDeps);
  const records = registerTaxRecords(app, { ...featureDeps, ...stored, ...office, ...chat, ...audit });
  const removeFiles = (names: readonly string[]): Promise<void> => stored.uploads.discardAll(names);
  const users = registerUsers(app, { ...featureDeps, ...auth, ...ownData, ...chat, ...records, removeFiles });
  const { erasureHours = ERASURE_HOURS_DEFAULT } = settings;
  const archiveMonths = keptMonths(deps.backups.settings);
  registerErasures(app, { ...featureDeps, ...auth, ...chat, ...users, erasureHours, archiveMonths });
  const retention = registerRetention(app, { ...featureDeps, ...auth, ...chat, ...users, archiveMonths });
  registerRecoveries(app, featureDeps);
  const { listReader = createInlineListReader() } = deps;
  const { onListsChanged, objectLinks } = registerDhkp(app, {
    ...featureDeps,
    ...stored,
    ...chat,
    ...records,
    listReader,
  });
  registerCards(app, { ...featureDeps, ...auth, sessions, objectLinks });
  registerAreas(app, { ...featureDeps, onAreasChanged: onListsChanged });
  registerNotices(app, { ...featureDeps, ...auth, ...retention });
  const { secondDir } = deps.backups.settings;
  const findSecondFolder = secondDir === null ? async () => false : createFolderPresence(secondDir);
  const hasSecondFolder = outside === null ? findSecondFolder : null;
  registerFirstSteps(app, { ...featureDeps, hasSecondFolder });
  registerReports(app, featureDeps);
  const { publicSite } = deps;
  const publicReach = () => (publicSite ? presentPublicReach(publicSite) : null);
  const pushReach = pushes.status;
  metrics?.addReach({ publicReach, pushReach: pushes.ownStatus });
  metrics?.addProcesses(processes);
  if (filesFolder) metrics?.addFilesFolder(filesFolder.isThere);
  const { runningCopy = null } = deps;
  metrics?.addRunningCopy(() => copyAgeMs(runningCopy?.status() ?? null, now()));
  const retryCertificate = publicSite ? publicSite.retry : () => null;
  const system = {
    backups,
    runningCopy,
    readDiskUse: database.readDiskUse,
    takesWrites: database.takesWrites,
    primaryHost: database.primaryHost,
    network,
    publicReach,
    retryCertificate,
    pushReach,
  };
  registerSystem(app, { ...featureDeps, ...auth, ...system });
  registerDocsPage(app, deps.resources);
  registerHandbook(app, deps.resources);
  const officeName = (): Promise<string> => findOfficeName(database.orm);
  if (deps.localAuthority && network)
    trustRoutes(app, { authority: deps.localAuthority, network, monotonicNow, officeName });
  registerClientFiles(app, deps.resources, { timeZone, serviceWorker: settings.serviceWorker ?? true, officeName });

  const { publish, presence } = context;
  const realtime = startRealtime(app, database, {
    publish,
    presence,
    processes,
    monotonicNow,
    resolve,
    resolveSession,
    corsOrigins,
    isTrustedProxy,
    isShared: createSharedCheck(settings),
    limits: deps.socketLimits ?? {},
    rateLimits: settings.rateLimits,
    delayRefusal: createRefusalDelay(refusalDelayMs),
  });
  bindClientEvents(realtime.onConnection);
  namespace = realtime.namespace;
  // Started early, because a running backup may need a moment to stop; awaited when all else is closed.
  app.addHook('preClose', async () => {
    backups.close().catch(() => undefined);
  });
  app.addHook('onClose', async () => {
    filesFolder?.close();
    await Promise.all([context.queryWorker.close(), backups.close(), processes.close()]);
  });
  processes.start();
  const { runRetention } = retention;
  return { server: app, context, backups, installation, storeNotice: chat.storeNotice, pushes, runRetention };
}
