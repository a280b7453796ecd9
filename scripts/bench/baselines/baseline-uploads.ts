import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

/** Stores each body as a file on the disk and does nothing else: what uploads cost any server on this machine. */
const folder = process.env['BENCH_FOLDER'] ?? '.';

const server = createServer((request, response) => {
  void (async () => {
    const file = await open(join(folder, `${randomUUID()}.bin`), 'wx');
    for await (const chunk of request) await file.write(chunk as Buffer);
    await file.sync();
    await file.close();
    response.writeHead(201, { 'content-type': 'application/json' }).end('{"data":{"id":""}}');
  })();
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
