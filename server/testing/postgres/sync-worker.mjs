// Runs the statements of a test on PostgreSQL while the thread of the test waits, so that tests read rows at once, as on SQLite.
import { workerData } from 'node:worker_threads';
import pg from 'pg';

const { port, answered, server } = workerData;
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
pg.types.setTypeParser(16, (text) => (text === 't' ? 1 : 0));

/** @type {Map<string, Promise<pg.Client>>} */
const clients = new Map();

function clientOf(/** @type {string} */ database) {
  const known = clients.get(database);
  if (known) return known;
  const client = new pg.Client({ connectionString: `${server}/${database}`, options: '-c lock_timeout=10s' });
  client.on('error', () => clients.delete(database));
  const connected = client.connect().then(() => client);
  clients.set(database, connected);
  return connected;
}

/** @typedef {{ database: string, text: string, values?: unknown[], number: number }} Statement */

port.on('message', async (/** @type {Statement} */ { database, text, values, number }) => {
  try {
    const client = await clientOf(database);
    const result = await client.query(/** @type {any} */ (values ? { text, values, rowMode: 'array' } : text));
    const last = Array.isArray(result) ? result.at(-1) : result;
    port.postMessage({
      rows: last.rows,
      columns: last.fields.map((/** @type {{ name: string }} */ { name }) => name),
      changes: last.rowCount ?? 0,
    });
  } catch (error) {
    const { message, code } = /** @type {Error & { code?: string }} */ (error);
    port.postMessage({ error: { message, code } });
  }
  Atomics.store(answered, 0, number);
  Atomics.notify(answered, 0);
});
