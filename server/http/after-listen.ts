import type { FastifyInstance } from 'fastify';

/**
 * Runs work beside the first requests that may take seconds, such as what a crash interrupted. A server that closes waits
 * for its current step only.
 * @param work asks `mayContinue` before each step
 * @param errorText what the log says when it fails
 */
export function runAfterListen(
  app: FastifyInstance,
  work: (mayContinue: () => boolean) => Promise<void>,
  errorText: string,
): void {
  let isClosing = false;
  let finished = Promise.resolve();
  app.addHook('onListen', async () => {
    finished = work(() => !isClosing).catch((error: unknown) => app.log.error({ err: error }, errorText));
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    await finished;
  });
}
