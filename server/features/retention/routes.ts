import type { FastifyInstance, FastifyRequest, FastifyReply } from 'fastify';
import { retentionCalls } from '#shared/api/calls/retention.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import { callerSignal } from '#server/http/answers/caller-signal.ts';
import { listCallerOf } from '#server/http/answers/list-caller.ts';
import { presentSingle } from '#server/http/answers/present.ts';
import { repeatAfterListen } from '#server/http/listen/after-listen.ts';
import { serveCalls } from '#server/http/serve-calls.ts';
import type { CurrentUser } from '#server/http/session-guards.ts';
import type { FeatureDeps } from '#server/service-context.ts';
import { createNightRun, type NightRunDeps } from './night-run.ts';
import type { readOlderCounts } from './queries.ts';
import { createRetentionService, type RetentionDeps } from './service.ts';

declare module '#server/service-context.ts' {
  interface WorkerQueryMap {
    retention: typeof readOlderCounts;
  }
}

const CHECK_EVERY_MS = 10 * MINUTE_MS;

const sourceOf = ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }) => ({
  address: request.ip,
  signal: callerSignal(reply),
});

/** Adds how long messages and unused accounts are kept. @returns what the notices of admins and the tests need */
export function registerRetention(
  app: FastifyInstance,
  { context, guards, ...deps }: FeatureDeps & RetentionDeps & NightRunDeps,
) {
  const retention = createRetentionService(context, deps);
  const runIfDue = createNightRun(context, deps);
  serveCalls(app, guards, retentionCalls, {
    'GET /admin/retention': async (received) =>
      presentSingle('Masa simpan', await retention.read(listCallerOf(received))),
    'PUT /admin/retention': async (received) => {
      await retention.save(received.currentUser, received.body, sourceOf(received));
      return presentSingle('Masa simpan disimpan', await retention.read(listCallerOf(received)));
    },
  });
  repeatAfterListen(
    app,
    context.processes,
    CHECK_EVERY_MS,
    runIfDue,
    'old messages and unused accounts were not deleted',
  );
  return {
    findRetentionNotice: () => retention.findNotice(),
    stopRetention: (currentUser: CurrentUser, announcement: number) => retention.stop(currentUser, announcement),
    runRetention: runIfDue,
  };
}
