import { createServer } from 'node:http';
import Database from 'better-sqlite3';

/** The baseline for start-up: Node, the database library and a listener. */
const sqlite = new Database(':memory:');
const server = createServer((_request, response) => response.end(String(sqlite.open)));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
