import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { adminSystemRoutes } from './admin-routes.ts';
import { type BackupServiceDeps, createBackupService } from './backup-service.ts';
import { healthRoutes } from './health-routes.ts';
import { createSystemService, type SystemServiceDeps } from './service.ts';

type SystemDeps = FeatureDeps & SystemServiceDeps & Omit<BackupServiceDeps, 'log'>;

/** Adds the health check, the system page and the download of backups. */
export async function registerSystem(app: FastifyInstance, { context, guards, ...deps }: SystemDeps): Promise<void> {
  healthRoutes(app, context);
  const system = createSystemService(context, deps);
  const backups = createBackupService(context, { ...deps, log: app.log });
  await app.register(adminSystemRoutes(system, backups, guards), { prefix: API_PREFIX });
}
