import { rmSync } from 'node:fs';
import { connectUsers } from '../load/chat-clients.ts';
import type { HttpCall } from '../requests.ts';
import { printResults, type Result } from '../results.ts';
import { SECRET } from '../seed-data.ts';
import { startServer } from '../server-process.ts';
import { measureArchives } from './archive.ts';
import { measureInbox } from './inbox.ts';
import { measureIndexing } from './indexing.ts';
import { listRows } from './lists.ts';
import { measureMessageSearch } from './message-search.ts';
import { adminToken, createNextMessage, measureRow } from './regency-calls.ts';
import { copyRegencyData, type RegencyCopy } from './regency-copy.ts';
import { measureRunningCopy } from './running-copy.ts';
import { measureSends } from './sends.ts';
import { searchRows } from './searches.ts';
import { statisticsRows } from './statistics.ts';

const RECORDS = 1_000_000;
/** The claims of an admin without a connection would end. */
const CONNECTED_ADMINS = 5;

/** The archives are made when the bench wants them. */
const SETTINGS = { JWT_SECRET: SECRET, BACKUP_EVERY_HOURS: '0' };

async function measureServer(data: RegencyCopy, nextMessage: () => HttpCall): Promise<Result[]> {
  const server = await startServer('dist/server/main.mjs', { ...SETTINGS, DATA_DIR: data.dataDir });
  const admins = data.admins.slice(0, CONNECTED_ADMINS);
  const sockets = await connectUsers(server.url, admins, ({ token }) => ({ token }));
  try {
    const regency = { server, data };
    const rows: Result[] = [{ name: 'start', measured: server.startMs }];
    rows.push(...(await measureIndexing(regency)), ...(await measureInbox(regency)));
    for (const row of [...listRows(regency), ...searchRows(regency), ...statisticsRows(regency)])
      rows.push(...(await measureRow(regency, row)));
    rows.push(...(await measureMessageSearch(regency)));
    rows.push(...(await measureArchives(data.dataDir, server, nextMessage, adminToken(regency))));
    return rows;
  } finally {
    for (const socket of sockets) socket.disconnect();
    await server.stop();
  }
}

/**
 * An office of the size of a regency: by default a million records, 300,000 users and two million messages.
 * @param sockets that are open while messages are sent
 */
export async function benchRegency(records = RECORDS, sockets?: number): Promise<void> {
  const data = copyRegencyData(records);
  try {
    const nextMessage = createNextMessage(data);
    const rows = await measureServer(data, nextMessage);
    rows.push(...(await measureSends(data, SETTINGS, sockets)));
    rows.push(...(await measureRunningCopy(data, nextMessage, SETTINGS)));
    const { users, messages } = data.sizes;
    const counts = [records, users, messages].map((count) => count.toLocaleString('en'));
    printResults(`a regency with ${counts[0]} records, ${counts[1]} users, ${counts[2]} messages; milliseconds`, rows);
  } finally {
    rmSync(data.dataDir, { recursive: true, force: true });
  }
}
