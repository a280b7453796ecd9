import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connectRaw } from '#server/testing/network/raw-http.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { withTimeout } from '#server/testing/with-timeout.ts';
import { createConnectionDrain } from './graceful-shutdown.ts';

const GET = 'GET /slow HTTP/1.1\r\nHost: pbb\r\n\r\n';

/** A server whose answers are sent by the test. */
async function startTestServer() {
  const pendingResponses: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    pendingResponses.push(response);
    server.emit('waiting');
  });
  // Long enough that no connection of these tests ends by this timeout.
  server.keepAliveTimeout = 60_000;
  const drain = createConnectionDrain(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const address = server.address();
  return { server, drain, waiting: pendingResponses, port: typeof address === 'object' && address ? address.port : 0 };
}

function drainAndClose(server: Server, drain: (graceMs: number) => () => void, graceMs: number): Promise<unknown> {
  const closed = once(server, 'close');
  const stop = drain(graceMs);
  server.close();
  return withTimeout('the server to close', closed).finally(stop);
}

describe('createConnectionDrain', () => {
  it('closes idle connections at once, also those without any request', async () => {
    const { server, drain, waiting: pendingResponses, port } = await startTestServer();
    const silent = await connectRaw(port);
    const idle = await connectRaw(port);
    idle.send(GET);
    await once(server, 'waiting');
    pendingResponses[0]?.end('x');
    await drainAndClose(server, drain, 4000);
    await Promise.all([silent.ended(), idle.ended()]);
  });

  it('answers a request in flight, then closes its keep-alive connection', async () => {
    const { server, drain, waiting: pendingResponses, port } = await startTestServer();
    const busy = await connectRaw(port);
    busy.send(GET);
    await once(server, 'waiting');
    const closing = drainAndClose(server, drain, 4000);
    pendingResponses[0]?.setHeader('content-length', 4).end('done');
    expect((await busy.answer()).body).toBe('done');
    await busy.ended();
    await closing;
  });

  it('closes all remaining connections after the grace period', async () => {
    const { server, drain, port } = await startTestServer();
    const stuck = await connectRaw(port);
    stuck.send(GET);
    await once(server, 'waiting');
    await drainAndClose(server, drain, 100);
    await stuck.ended();
  });
});

describe('closing the app', () => {
  it('keeps the query worker until the last request is answered', async () => {
    const order: string[] = [];
    const requestArrived = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const test = await buildTestApp({
      queryWorker: {
        run: () => Promise.reject(new Error('unused')),
        close: async () => void order.push('worker closed'),
      },
    });
    test.server.get('/api/slow', async () => {
      requestArrived.resolve();
      await release.promise;
      order.push('answered');
      return { success: true };
    });
    await test.server.listen({ host: '127.0.0.1', port: 0 });
    const address = test.server.server.address();
    const connection = await connectRaw(typeof address === 'object' && address ? address.port : 0);
    connection.send('GET /api/slow HTTP/1.1\r\nHost: pbb\r\nConnection: close\r\n\r\n');
    await withTimeout('the request to arrive', requestArrived.promise);
    const closing = test.server.close();
    await expect.poll(() => test.server.server.listening).toBe(false);
    expect(order).toEqual([]);
    release.resolve();
    expect((await connection.answer()).status).toBe(200);
    await closing;
    expect(order).toEqual(['answered', 'worker closed']);
  });
});
