import type { FastifyInstance } from 'fastify';
import type { Processes } from '#server/process/processes.ts';

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

/**
 * The same for work that only the leader of several processes does: at the start, and again when it takes over from another one,
 * whose work may be half done.
 */
export function runWhenLeading(
  app: FastifyInstance,
  processes: Pick<Processes, 'isLeader' | 'onTakingOver'>,
  work: (mayContinue: () => boolean) => Promise<void>,
  errorText: string,
): void {
  let isClosing = false;
  let isListening = false;
  let finished = Promise.resolve();
  function run(): void {
    if (!isListening || isClosing || !processes.isLeader()) return;
    finished = finished
      .then(() => work(() => !isClosing))
      .catch((error: unknown) => app.log.error({ err: error }, errorText));
  }
  processes.onTakingOver(run);
  app.addHook('onListen', async () => {
    isListening = true;
    run();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    await finished;
  });
}

/**
 * Repeats work while the server listens, for the first time at once. A run that fails is logged, and the next one follows; one
 * that lasts longer than the interval replaces the next ones. A server that closes waits for the current step only.
 * @param processes of several, only the leader does the work
 * @param work asks `mayContinue` before each step
 * @param errorText what the log says when it fails
 */
export function repeatAfterListen(
  app: FastifyInstance,
  processes: Pick<Processes, 'isLeader'>,
  intervalMs: number,
  work: (mayContinue: () => boolean) => Promise<void>,
  errorText: string,
): void {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isClosing = false;

  function run(): void {
    if (!processes.isLeader()) return;
    running ??= work(() => !isClosing)
      .catch((error: unknown) => app.log.error({ err: error }, errorText))
      .finally(() => {
        running = null;
      });
  }

  app.addHook('onListen', async () => {
    run();
    timer = setInterval(run, intervalMs).unref();
  });
  app.addHook('preClose', async () => {
    isClosing = true;
    clearInterval(timer);
    await running;
  });
}
