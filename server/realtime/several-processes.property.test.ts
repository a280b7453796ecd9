import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chatOf } from '#server/testing/chat/chat-app.ts';
import { anyRounds, anySteps, runSteps, runStepsAtOnce } from '#server/testing/chat/chat-steps.ts';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { buildTwoProcesses, createSettle } from '#server/testing/postgres/several-processes.ts';

const settings = { timeZone: 'Asia/Jakarta', corsOrigins: [], trustedProxies: null, rateLimits: false };

async function buildBoth() {
  const both = await buildTwoProcesses({ settings });
  const [one, other] = both;
  await expect.poll(() => both.map(({ context }) => context.processes.others())).toEqual([1, 1]);
  const participants = [buildAdmin(one), buildAdmin(one), buildTestUser(one), buildTestUser(one)];
  return { chats: [chatOf(one), chatOf(other)] as const, participants, settle: createSettle(both) };
}

it('keeps counts, positions and order right on two processes, and every client equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(anySteps, async (steps) => {
      const { chats, participants, settle } = await buildBoth();
      await runSteps(chats, participants, steps, settle);
    }),
    { numRuns: 15 },
  );
});

it('loses and doubles nothing of what both do at once, and every client equals a fresh load', async () => {
  await fc.assert(
    fc.asyncProperty(anyRounds, async (rounds) => {
      const { chats, participants, settle } = await buildBoth();
      await runStepsAtOnce(chats, participants, rounds, settle);
    }),
    { numRuns: 15 },
  );
});
