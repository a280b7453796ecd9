import type { FastifyInstance } from 'fastify';
import { MINUTE_MS } from '#shared/durations.ts';

const SWEEP_EVERY_MS = 15 * MINUTE_MS;

/** Runs when the server listens and then again and again. A failed try is logged, and the next one follows. */
export function startSweepTimer(app: FastifyInstance, sweep: (mayContinue: () => boolean) => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let isClosing = false;
  let running = Promise.resolve();

  function run(): void {
    running = running
      .then(() => sweep(() => !isClosing))
      .catch((error: unknown) => app.log.error({ err: error }, 'files of deleted or unsent messages were not removed'));
  }

  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, SWEEP_EVERY_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(timer);
    await running;
  });
}
