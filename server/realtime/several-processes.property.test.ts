import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatOf } from '#server/testing/chat/chat-app.ts';
import { anySteps, runSteps } from '#server/testing/chat/chat-steps.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTwoProcesses, createSettle } from '#server/testing/postgres/several-processes.ts';

it('keeps counts, positions and order right on two processes, and every client equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const both = await buildTwoProcesses();
      const [one, other] = both;
      await expect
        .poll(() => both.map(({ context }) => context.processes.others()), { timeout: 10_000 })
        .toEqual([1, 1]);
      const participants = [buildAdmin(one), buildAdmin(one), buildTestUser(one), buildTestUser(one)];
      await runSteps([chatOf(one), chatOf(other)], participants, steps, createSettle(both));
    }),
    { numRuns: 15 },
  );
}, 120_000);
