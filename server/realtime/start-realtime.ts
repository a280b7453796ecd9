import type { FastifyInstance } from 'fastify';
import type { Sqlite } from '#server/db/open.ts';
import { type NamespaceDeps, type OnConnection, openNamespace } from './namespace.ts';
import type { RealtimeNamespace } from './publish.ts';
import { watchSessions } from './session-watch.ts';

/** Opens the namespace and watches the sessions of its sockets until the server closes. */
export function startRealtime(
  app: FastifyInstance,
  sqlite: Sqlite,
  deps: Omit<NamespaceDeps, 'log'>,
): { namespace: RealtimeNamespace; onConnection: OnConnection } {
  const realtime = openNamespace(app.server, { ...deps, log: app.log });
  const stopWatching = watchSessions(sqlite, realtime.recheckAll, app.log);
  // Runs before the listener closes: an open socket would keep the server from ever closing.
  app.addHook('preClose', async () => {
    stopWatching();
    await realtime.close();
  });
  return { namespace: realtime.namespace, onConnection: realtime.onConnection };
}
