import type { FastifyInstance } from 'fastify';
import { firstStepCalls } from '#shared/api/calls/first-steps.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { firstStepRoutes } from './routes.ts';
import { createFirstStepService } from './service.ts';

type Deps = FeatureDeps & { hasSecondFolder: boolean };

/** Adds what a new office is told to do first. */
export function registerFirstSteps(app: FastifyInstance, { context, guards, hasSecondFolder }: Deps): void {
  serveCalls(app, guards, firstStepCalls, firstStepRoutes(createFirstStepService(context, hasSecondFolder)));
}
