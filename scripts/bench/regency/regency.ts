import { rmSync } from 'node:fs';
import { connectUsers } from '../load/chat-clients.ts';
import { printResults, type Result } from '../results.ts';
import { SECRET } from '../seed-data.ts';
import { startServer } from '../server-process.ts';
import { measureInbox } from './inbox.ts';
import { measureIndexing } from './indexing.ts';
import { listRows } from './lists.ts';
import { measureMessageSearch } from './message-search.ts';
import { measureRow } from './regency-calls.ts';
import { copyRegencyData } from './regency-copy.ts';
import { searchRows } from './searches.ts';
import { statisticsRows } from './statistics.ts';

const RECORDS = 1_000_000;
/** The claims of an admin without a connection would end. */
const CONNECTED_ADMINS = 5;

/** An office of the size of a regency: by default a million records, 300,000 users and two million messages. */
export async function benchRegency(records = RECORDS): Promise<void> {
  const data = copyRegencyData(records);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir, JWT_SECRET: SECRET });
  const admins = data.admins.slice(0, CONNECTED_ADMINS);
  const sockets = await connectUsers(server.url, admins, ({ token }) => ({ token }));
  try {
    const regency = { server, data };
    const rows: Result[] = [{ name: 'start', measured: server.startMs }];
    rows.push(...(await measureIndexing(regency)), ...(await measureInbox(regency)));
    for (const row of [...listRows(regency), ...searchRows(regency), ...statisticsRows(regency)])
      rows.push(...(await measureRow(regency, row)));
    rows.push(...(await measureMessageSearch(regency)));
    const { users, messages } = data.sizes;
    const counts = [records, users, messages].map((count) => count.toLocaleString('en'));
    printResults(`a regency with ${counts[0]} records, ${counts[1]} users, ${counts[2]} messages; milliseconds`, rows);
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.stop();
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
