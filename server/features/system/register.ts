import type { FastifyInstance } from 'fastify';
import { systemCalls } from '#shared/api/calls/system.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { type BackupServiceDeps, createBackupService } from './backup-service.ts';
import { healthRoutes } from './health-routes.ts';
import { systemRouteOptions, systemRoutes } from './routes.ts';
import { createSystemService, type SystemServiceDeps } from './service.ts';

type SystemDeps = FeatureDeps & SystemServiceDeps & Omit<BackupServiceDeps, 'log'>;

/** Adds the health check, the system page and the download of backups. */
export function registerSystem(app: FastifyInstance, { context, guards, ...deps }: SystemDeps): void {
  healthRoutes(app, context);
  const system = createSystemService(context, deps);
  const backups = createBackupService(context, { ...deps, log: app.log });
  serveCalls(app, guards, systemCalls, systemRoutes({ system, backups, log: app.log }), systemRouteOptions);
}
