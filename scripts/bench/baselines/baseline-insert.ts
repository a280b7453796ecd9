import { createServer } from 'node:http';
import Database from 'better-sqlite3';

/**
 * The baseline for storing messages: node:http and one insert per message. Each insert is a transaction of its own that
 * is on disk before the answer. It checks no session, validates nothing and publishes no event.
 */
const sqlite = new Database(process.env['BENCH_DATABASE'] ?? '');
sqlite.pragma('journal_mode = WAL');
sqlite.pragma('synchronous = FULL');
sqlite.exec(
  'create table messages (id integer primary key autoincrement, to_user_id text, content text, client_id text, at integer)',
);
const insert = sqlite.prepare('insert into messages (to_user_id, content, client_id, at) values (?, ?, ?, ?)');

type MessageBody = { to_user_id: string; content: string; client_id: string };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(Buffer.concat(chunks).toString()) as MessageBody;
    const { lastInsertRowid } = insert.run(message.to_user_id, message.content, message.client_id, Date.now());
    const body = JSON.stringify({ ...message, id: String(lastInsertRowid) });
    response
      .writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
process.on('SIGTERM', () => process.exit(0));
