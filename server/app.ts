import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import jwt from '@fastify/jwt';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyServerOptions } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { BODY_MAX_BYTES } from '#shared/limits.ts';
import {
  createBackupScheduler,
  type BackupScheduler,
  type BackupSchedulerDeps,
} from '#server/operations/backups/scheduler.ts';
import type { ServiceContext } from '#server/service-context.ts';
import { createWriteQueue } from '#server/db/write-queue.ts';
import type { DatabaseHandle } from './db/open.ts';
import { createInlineQueryWorker, type QueryWorker } from '#server/db/query-worker.ts';
import { createAuditLog } from '#server/features/audit/audit-log.ts';
import { auditRoutes } from './features/audit/routes.ts';
import { createAuditService } from './features/audit/service.ts';
import { accountRoutes } from './features/auth/account-routes.ts';
import { createAccountService } from './features/auth/account-service.ts';
import { authRoutes } from './features/auth/routes.ts';
import { createAuthService } from './features/auth/service.ts';
import { createOwnPasswordCheck } from './features/auth/own-password.ts';
import { createSessions } from './features/auth/sessions.ts';
import { reportRoutes } from './features/reports/routes.ts';
import { createReportService } from './features/reports/service.ts';
import { adminSystemRoutes } from './features/system/admin-routes.ts';
import { createBackupService } from './features/system/backup-service.ts';
import { healthRoutes } from '#server/features/system/health-routes.ts';
import { createSystemService } from './features/system/service.ts';
import { adminRecordRoutes } from './features/tax-records/admin-routes.ts';
import { createAdminRecordService } from './features/tax-records/admin-service.ts';
import { rolloverRoutes } from '#server/features/tax-records/rollover/rollover-routes.ts';
import { createRolloverService } from '#server/features/tax-records/rollover/rollover-service.ts';
import { createProofFiles } from '#server/features/tax-records/proofs/proof-files.ts';
import { createProofLinks } from '#server/features/tax-records/proofs/proof-links.ts';
import { proofRoutes } from '#server/features/tax-records/proofs/proof-routes.ts';
import { recordRoutes } from './features/tax-records/routes.ts';
import { createRecordService } from './features/tax-records/service.ts';
import { statisticsRoutes } from '#server/features/tax-records/statistics/statistics-routes.ts';
import { createStatisticsService } from '#server/features/tax-records/statistics/statistics-service.ts';
import { registerSocketHandlers } from '#server/features/chat/socket-handlers.ts';
import { createChatQueries } from './features/chat/queries.ts';
import { chatRoutes } from './features/chat/routes.ts';
import { createChatService } from './features/chat/service.ts';
import { userRoutes } from './features/users/routes.ts';
import { createUserService } from './features/users/service.ts';
import { createPolicy } from '#server/policy.ts';
import { workerQueries, type WorkerQueries } from '#server/worker-queries.ts';
import { registerDocsPage, registerOpenApi } from './http/api-docs.ts';
import { registerContentTypeParsers } from '#server/http/content-type-parsers.ts';
import { registerClientFiles } from '#server/http/static-files.ts';
import { registerCors } from './http/cors.ts';
import { clientErrorResponse, registerErrors, sendFrameworkError } from './http/errors.ts';
import { registerForms } from '#server/http/multipart-form.ts';
import { registerHeaders } from './http/headers.ts';
import { createSessionGuards, decorateCurrentUser } from './http/session.ts';
import { openNamespace } from './realtime/namespace.ts';
import { createPresence } from './realtime/presence.ts';
import { createPublish, type RealtimeNamespace } from './realtime/publish.ts';
import { watchSessions } from './realtime/session-watch.ts';
import type { Resources } from '#server/files/resources.ts';
import type { Settings } from './settings.ts';
import type { Network } from '#server/operations/tls/network.ts';
import type { LocalAuthority } from '#server/operations/tls/certificate-source.ts';
import { trustRoutes } from '#server/operations/tls/trust-routes.ts';

export type AppDeps = {
  settings: Pick<Settings, 'timeZone' | 'corsOrigins' | 'trustProxy' | 'rateLimits'>;
  database: DatabaseHandle;
  secret: string;
  proofsDir: string;
  resources: Resources;
  /** How backups are made and where they are kept. */
  backups: BackupSchedulerDeps;
  /** Where heavy queries run; left out, on the spot (databases in memory). */
  queryWorker?: QueryWorker<WorkerQueries>;
  now?: () => number;
  /** Opens `/metrics` to whoever sends it; without one there is no such page, and nothing is measured. */
  metricsToken?: string | null;
  /** Where the office reaches this server; asked anew each time. */
  network?: () => Network;
  /** Whom devices have to be told to trust; without one there is no page that explains it. */
  localAuthority?: LocalAuthority | null;
  logger?: FastifyServerOptions['logger'];
};

export type App = { server: FastifyInstance; context: ServiceContext; backups: BackupScheduler };

/** Plugins, features and the error handler, joined; never listens. Tests build the same one. */
export async function buildApp(deps: AppDeps): Promise<App> {
  const { settings, database } = deps;
  let realtimeNamespace: RealtimeNamespace | null = null;
  const metrics = deps.metricsToken
    ? (await import('#server/http/logs/metrics.ts')).createMetrics(database.sqlite)
    : null;
  const context: ServiceContext = {
    orm: database.orm,
    write: createWriteQueue(database, metrics?.writeQueueObserver),
    policy: createPolicy(database.orm, deps.now ?? Date.now),
    audit: createAuditLog(deps.now ?? Date.now),
    queryWorker: deps.queryWorker ?? createInlineQueryWorker(workerQueries, database.orm),
    publish: createPublish(() => realtimeNamespace),
    presence: createPresence(),
    now: deps.now ?? Date.now,
    timeZone: settings.timeZone,
    rateLimits: settings.rateLimits,
    secret: deps.secret,
    proofsDir: deps.proofsDir,
  };

  const app = Fastify({
    logger: deps.logger ?? false,
    // One proxy: only what it wrote itself is believed, the rest of the header is the client's to invent.
    trustProxy: settings.trustProxy && ((_address, hop) => hop === 0),
    // Socket.IO drops every other request that asks for an upgrade; those are answered as if they had not asked.
    http: { shouldUpgradeCallback: (request) => request.url?.startsWith('/socket.io/') ?? false },
    bodyLimit: BODY_MAX_BYTES,
    genReqId: () => randomUUID(),
    // A request that never ends its headers or body must not hold a connection for ever.
    requestTimeout: 120_000,
    // While closing, what is in flight and what still comes in on open connections is answered as usual.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler(error, socket) {
      if (socket.writable) socket.write(clientErrorResponse(error.code));
      socket.destroy(error);
    },
    frameworkErrors: (error, _request, reply) => sendFrameworkError(error, reply as FastifyReply),
  }).withTypeProvider<ZodTypeProvider>();

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  registerErrors(app);
  registerContentTypeParsers(app);
  decorateCurrentUser(app);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (request.url.startsWith('/api')) reply.header('cache-control', 'no-store');
  });

  await registerHeaders(app);
  await registerCors(app, settings.corsOrigins);
  // Lists of a thousand records matter on a weak signal; brotli would cost more time than it saves here.
  await app.register(compress, { global: true, threshold: 1024, encodings: ['gzip'] });
  await app.register(jwt, {
    secret: deps.secret,
    sign: { algorithm: 'HS256' },
    // Expiry is checked by the sessions against the same clock as everything else.
    verify: { algorithms: ['HS256'], ignoreExpiration: true, requiredClaims: ['jti', 'sub', 'exp'] },
  });
  await registerForms(app);
  await registerOpenApi(app);

  const sessions = createSessions(app.jwt, context);
  const guards = createSessionGuards((token) => sessions.resolve(token));

  const auth = createAuthService(context, sessions);
  const chatStatements = createChatQueries(database.orm);
  const chatService = createChatService(context, chatStatements, () => auth.requireContactAdmin());
  const proofs = createProofFiles(context.proofsDir);
  const proofLinks = createProofLinks(context);

  const records = createRecordService(context, proofs);
  const users = createUserService(context, {
    removeProofs: (files) => proofs.discardAll(files),
    notifyInbox: (userId) => chatService.accountChanged(userId),
    resetLoginAttempts: (email) => auth.forgetAttempts(email),
  });
  const audit = createAuditService(context, (currentUser, id) => records.requireRecord(currentUser, id));

  if (deps.metricsToken) metrics?.register(app, deps.metricsToken, () => realtimeNamespace?.sockets.values() ?? []);
  const backups = createBackupScheduler(deps.backups, { timeZone: settings.timeZone, now: context.now, log: app.log });
  const system = createSystemService(context, {
    backups,
    databaseFile: database.file,
    network: deps.network ?? (() => ({ addresses: [], secureAddresses: [], hasLocalAuthority: false })),
  });
  const backupService = createBackupService(context, {
    backups,
    isOwnPassword: createOwnPasswordCheck(context),
    resolveSession: (sessionId) => sessions.resolveId(sessionId),
    log: app.log,
  });

  healthRoutes(app, context);
  proofRoutes(app, context, {
    links: proofLinks,
    resolveSession: (sessionId) => sessions.resolveId(sessionId),
    crossOrigin: settings.corsOrigins.length > 0,
  });
  await app.register(
    async (api) => {
      await api.register(authRoutes(auth, sessions, guards));
      await api.register(accountRoutes(createAccountService(context), guards));
      await api.register(chatRoutes(chatService, guards));
      await api.register(recordRoutes(records, proofLinks, guards));
      await api.register(adminRecordRoutes(createAdminRecordService(context, proofs), proofLinks, guards));
      await api.register(statisticsRoutes(createStatisticsService(context), guards));
      await api.register(rolloverRoutes(createRolloverService(context), guards));
      await api.register(userRoutes(users, guards));
      await api.register(auditRoutes(audit, guards));
      await api.register(reportRoutes(createReportService(context), guards));
      await api.register(adminSystemRoutes(system, backupService, guards));
    },
    { prefix: '/api' },
  );
  registerDocsPage(app, deps.resources);
  if (deps.localAuthority && deps.network) {
    trustRoutes(app, { authority: deps.localAuthority, network: deps.network });
  }
  registerClientFiles(app, deps.resources, settings.timeZone);

  const realtime = openNamespace(app.server, {
    resolve: (token) => sessions.resolve(token),
    resolveId: (sessionId) => sessions.resolveId(sessionId),
    publish: context.publish,
    presence: context.presence,
    now: context.now,
    corsOrigins: settings.corsOrigins,
    trustProxy: settings.trustProxy,
    log: app.log,
  });
  registerSocketHandlers(realtime.onConnection, context, chatService.cursors, chatStatements);
  realtimeNamespace = realtime.namespace;
  const stopWatching = watchSessions(database.sqlite, realtime.recheckAll, app.log);
  // Before the listener closes: an open socket would keep the server from ever finishing.
  app.addHook('preClose', async () => {
    stopWatching();
    await realtime.close();
  });
  // Told at the very beginning, because what a backup is at may take its moment to end; awaited when all else is done.
  app.addHook('preClose', async () => {
    backups.close().catch(() => undefined);
  });
  app.addHook('onClose', async () => {
    await Promise.all([context.queryWorker.close(), backups.close()]);
  });

  return { server: app, context, backups };
}
