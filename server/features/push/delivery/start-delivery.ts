import type { FastifyInstance } from 'fastify';
import { runAfterListen } from '#server/http/after-listen.ts';
import type { Delivery } from './delivery.ts';
import type { PushTransport } from './sending/push-request.ts';

/** A push that waits for its time is sent within about this time. */
const TICK_MS = 1000;

/** Delivers while the server listens; at the start first what an earlier process owed. */
export function startDelivery(app: FastifyInstance, delivery: Delivery, transport: PushTransport): void {
  let timer: NodeJS.Timeout | undefined;

  runAfterListen(app, (mayContinue) => delivery.resume(mayContinue), 'pushes that were owed were not resumed');
  app.addHook('onListen', async () => {
    timer = setInterval(() => void delivery.tick(), TICK_MS);
    timer.unref();
  });
  app.addHook('preClose', async () => {
    clearInterval(timer);
    await delivery.close();
    await transport.close();
  });
}
