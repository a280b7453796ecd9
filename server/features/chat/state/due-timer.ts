import type { FastifyInstance } from 'fastify';

/** A claim or snooze that ends by itself is published within about this time. */
const CHECK_INTERVAL_MS = 1000;

/** Ends what is due while the server listens. A failed try is logged, and the next one follows. */
export function startDueTimer(app: FastifyInstance, endDue: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  let isRunning = false;

  function check(): void {
    if (isRunning) return;
    isRunning = true;
    running = endDue()
      .catch((error: unknown) => app.log.error({ err: error }, 'claims and snoozes could not be ended'))
      .finally(() => {
        isRunning = false;
      });
  }

  app.addHook('onListen', async () => {
    timer = setInterval(check, CHECK_INTERVAL_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await running;
  });
}
