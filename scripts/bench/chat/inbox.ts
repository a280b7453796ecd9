import { rmSync } from 'node:fs';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { openDatabase } from '#server/db/open.ts';
import { createSeededRandom } from '../../seed/seeded-random.ts';
import { connectUsers } from './chat-clients.ts';
import { measureTiming, printTable, sendRequest } from '../measure.ts';
import { addUsers, createBenchData, type BenchData, type BenchUser } from '../seed-data.ts';
import { readMaxLoopDelayMs, startServer } from '../server-process.ts';

const ROUNDS = 300;
const P95_AIM_MS = 20;
const LOOP_DELAY_AIM_MS = 50;
/** So many snoozes end at the same moment, as those until Monday 08.00. */
const SNOOZES_ENDING = 2000;
const SNOOZES_END_AFTER_MS = 60_000;
const CLAIMED_SHARE = 0.02;

const LISTS: [name: string, query: string][] = [
  ['everybody, latest activity first', 'all=1'],
  ['everybody, page 100', 'all=1&page=100'],
  ['waiting, longest wait first', 'state=waiting&sort=waiting'],
  ['waiting, page 50', 'state=waiting&sort=waiting&page=50'],
  ['unclaimed', 'state=unclaimed&sort=waiting'],
  ['unread', 'unread=1'],
  ['snoozed', 'state=snoozed'],
  ['mine', 'state=mine'],
  ['100 rows', 'all=1&limit=100'],
];

/** Gives every user a conversation of four messages: a third waits, some are snoozed, claimed or dismissed. */
function addConversations({ databaseFile }: BenchData, users: BenchUser[], admins: BenchUser[]): void {
  const { sqlite } = openDatabase(databaseFile);
  const random = createSeededRandom(users.length);
  const now = Date.now();
  const addMessage = sqlite.prepare(
    `insert into messages (user_id, sender_id, sender_name, from_admin, content, prev_id, side_ordinal, created_at)
      values (?, ?, ?, ?, 'Selamat pagi, apakah pembayaran PBB saya sudah masuk?', ?, ?, ?)`,
  );
  const advance = sqlite.prepare(
    `update conversations set last_message_id = ?, user_ordinal = ?, admin_ordinal = ?, admin_read_ordinal = ?,
      unanswered_since = ?, claimed_by = ?, claimed_at = ?, snoozed_until = ?, dismissed_id = ? where user_id = ?`,
  );
  const addNote = sqlite.prepare(
    `insert into conversation_notes (user_id, author_id, author_name, content, client_id, created_at)
      values (?, ?, 'Ibu Ratna', 'Sudah ditelepon', ?, ?)`,
  );
  const fill = sqlite.transaction(() => {
    for (const [index, user] of users.entries()) {
      const startedAt = now - random.integer(MINUTE_MS, 20 * MINUTE_MS);
      const isAnswered = random.withProbability(0.5);
      const fromAdmin = [false, true, false, isAnswered];
      const ordinals = { user: 0, admin: 0 };
      let lastId: number | null = null;
      for (const isAdmin of fromAdmin) {
        const side = isAdmin ? 'admin' : 'user';
        ordinals[side] += 1;
        const sender = isAdmin ? random.pick(admins) : user;
        const added = addMessage.run(user.id, sender.id, side, isAdmin ? 1 : 0, lastId, ordinals[side], startedAt);
        lastId = Number(added.lastInsertRowid);
      }
      const isDismissed = !isAnswered && random.withProbability(0.3);
      const isClaimed = random.withProbability(CLAIMED_SHARE);
      const soon = index < SNOOZES_ENDING;
      const isSnoozed = soon || random.withProbability(0.05);
      advance.run(
        lastId,
        ordinals.user,
        ordinals.admin,
        random.withProbability(0.8) ? ordinals.user : ordinals.user - 1,
        isAnswered || isDismissed ? null : startedAt,
        isClaimed ? random.pick(admins).id : null,
        isClaimed ? now : null,
        isSnoozed ? now + (soon ? SNOOZES_END_AFTER_MS : random.integer(DAY_MS, 30 * DAY_MS)) : null,
        isDismissed ? lastId : 0,
        user.id,
      );
      if (random.withProbability(0.1)) addNote.run(user.id, admins[0]?.id, `note-${index}`, now);
    }
  });
  fill();
  sqlite.close();
}

/** The inbox at so many conversations: list, filters and counts, and the moment when many snoozes end at once. */
export async function benchInbox(conversationCount: number): Promise<void> {
  process.stdout.write(`\nfilling a database with ${conversationCount.toLocaleString('en')} conversations …\n`);
  const data = createBenchData(200);
  const users = addUsers(data, conversationCount);
  const admins = [data.admin, ...addUsers(data, 4, true)];
  const startedAt = Date.now();
  addConversations(data, users, admins);
  const server = await startServer('dist/server/main.mjs', { DATA_DIR: data.dataDir });
  // The claims of an admin without a connection would end.
  const sockets = await connectUsers(server.url, admins, ({ token }) => ({ token }));
  const call = (query: string) => ({
    method: 'GET' as const,
    path: `/api/messages/conversations?${query}`,
    token: data.admin.token,
  });
  const rows: (string | number)[][] = [];
  const measure = async (name: string, query: string): Promise<void> => {
    const { total } = JSON.parse(await sendRequest(server.url, call(query))) as { total: number };
    await readMaxLoopDelayMs(server);
    const { p50, p95 } = await measureTiming(server.url, () => call(query), ROUNDS);
    const pause = await readMaxLoopDelayMs(server);
    const isMet = p95 <= P95_AIM_MS && pause <= LOOP_DELAY_AIM_MS;
    rows.push([name, String(total), p50, p95, pause, isMet ? 'met' : 'MISSED']);
  };
  for (const [name, query] of LISTS) await measure(name, query);

  const remainingMs = startedAt + SNOOZES_END_AFTER_MS - Date.now();
  if (remainingMs < 0) process.stdout.write('the snoozes ended before they could be measured\n');
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, remainingMs)));
  await measure(`waiting, while ${SNOOZES_ENDING.toLocaleString('en')} snoozes end`, 'state=waiting&sort=waiting');

  const sender = users.at(-1);
  let lastId = 0;
  const sendAndList = async (): Promise<void> => {
    const body = { to_user_id: data.admin.id, content: 'Halo' };
    const path = '/api/messages/send';
    const sent = await sendRequest(server.url, { method: 'POST', path, token: sender?.token ?? '', body });
    lastId = Number((JSON.parse(sent) as { data: { id: string } }).data.id);
  };
  await sendAndList();
  await readMaxLoopDelayMs(server);
  const dismiss = await measureTiming(
    server.url,
    () => ({
      method: 'POST',
      path: `/api/admin/conversations/${sender?.id ?? ''}/dismiss`,
      token: data.admin.token,
      body: { up_to: String(lastId) },
    }),
    ROUNDS,
  );
  rows.push(['dismiss (a write)', '', dismiss.p50, dismiss.p95, await readMaxLoopDelayMs(server), '']);

  for (const socket of sockets) socket.disconnect();
  await server.stop();
  rmSync(data.dataDir, { recursive: true, force: true });
  printTable(
    `inbox with ${conversationCount.toLocaleString('en')} conversations; milliseconds; aims: p95 ≤ ${P95_AIM_MS}, pause ≤ ${LOOP_DELAY_AIM_MS}`,
    ['', 'rows', 'p50', 'p95', 'longest pause of the event loop', ''],
    rows,
  );
}
