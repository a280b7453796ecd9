import type { FastifyInstance } from 'fastify';
import { secondFactorCalls } from '#shared/api/calls/second-factor.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { presentSingle, presentUser } from '#server/http/answers/present.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createOfficeFactorService, type OfficeFactorDeps } from './office-factor-service.ts';
import { createOwnFactorService, type OwnFactorDeps } from './own-factor-service.ts';
import { createSecondStepService, type StepDeps } from './second-step-service.ts';

/** Adds the second factor: the second step of every way in, its set-up, and what the office does about it. */
export function registerSecondFactor(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & StepDeps & OwnFactorDeps & OfficeFactorDeps,
): void {
  const step = createSecondStepService(context, deps);
  const own = createOwnFactorService(context, deps);
  const office = createOfficeFactorService(context, deps);
  serveCalls(app, guards, secondFactorCalls, {
    'POST /auth/login/second-factor': async ({ body, request, reply }) => {
      const client = { userAgent: request.headers['user-agent'], address: request.ip, signal: callerSignal(reply) };
      const { token, user, deviceToken } = await step.finish(body, client);
      return presentSingle('Login berhasil', { token, user: presentUser(user), device_token: deviceToken });
    },
    'POST /auth/second-factor': async ({ currentUser, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
      return presentSingle('Kode kedua siap dipasang', await own.start(currentUser, body, source));
    },
    'POST /auth/second-factor/confirm': async ({ currentUser, body }) =>
      presentSingle('Kode kedua terpasang', { recovery_codes: await own.confirm(currentUser, body.code) }),
    'DELETE /auth/second-factor': async ({ currentUser, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body.device_token, signal: callerSignal(reply) };
      await own.end(currentUser, body, source);
      return presentSingle('Kode kedua dimatikan', {});
    },
    'DELETE /admin/users/{id}/second-factor': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body.device_token, signal: callerSignal(reply) };
      await office.remove(currentUser, params.id, body, { password: body.current_password, source });
      return presentSingle('Kode kedua dihapus', {});
    },
    'POST /admin/users/{id}/second-factor-code': async ({ currentUser, params, body, request, reply }) => {
      const source = { address: request.ip, deviceToken: body?.device_token, signal: callerSignal(reply) };
      const ownPassword = { password: body?.current_password, source };
      return presentSingle('Kode pemasangan dibuat', await office.makeSetupCode(currentUser, params.id, ownPassword));
    },
  });
}
