import type { FastifyInstance } from 'fastify';
import { API_PREFIX } from '#server/http/http-server.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { firstStepRoutes } from './routes.ts';
import { createFirstStepService } from './service.ts';

type Deps = FeatureDeps & { hasSecondFolder: boolean };

/** Adds what a new office is told to do first. */
export async function registerFirstSteps(
  app: FastifyInstance,
  { context, guards, hasSecondFolder }: Deps,
): Promise<void> {
  const steps = createFirstStepService(context, hasSecondFolder);
  await app.register(firstStepRoutes(steps, guards), { prefix: API_PREFIX });
}
