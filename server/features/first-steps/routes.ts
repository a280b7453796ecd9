import type { firstStepCalls } from '#shared/api/calls/first-steps.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import type { Handlers } from '#server/http/serve-calls.ts';
import type { FirstStepService } from './service.ts';

export function firstStepRoutes(steps: FirstStepService): Handlers<typeof firstStepCalls> {
  return {
    'GET /admin/first-steps': ({ currentUser }) => presentSingle('Langkah pertama', steps.list(currentUser)),
    'PUT /admin/first-steps/{step}': async ({ currentUser, params, body }) =>
      presentSingle('Langkah pertama berhasil disimpan', await steps.change(currentUser, params.step, body.state)),
  };
}
