import type { FastifyInstance } from 'fastify';
import { firstStepCalls } from '#shared/api/calls/first-steps.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createFirstStepService } from './service.ts';

type Deps = FeatureDeps & { hasSecondFolder: (() => Promise<boolean>) | null };

/** Adds what a new office is told to do first. */
export function registerFirstSteps(app: FastifyInstance, { context, guards, hasSecondFolder }: Deps): void {
  const steps = createFirstStepService(context, hasSecondFolder);
  serveCalls(app, guards, firstStepCalls, {
    'GET /admin/first-steps': async ({ currentUser }) =>
      presentSingle('Langkah pertama', await steps.list(currentUser)),
    'PUT /admin/first-steps/{step}': async ({ currentUser, params, body }) =>
      presentSingle('Langkah pertama berhasil disimpan', await steps.change(currentUser, params.step, body.state)),
  });
}
