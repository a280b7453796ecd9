import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { listReferencedFiles } from '#server/db/referenced-files.ts';
import { openForInspection } from '#server/db/sqlite/open.ts';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import type { BenchData } from '../seed-data.ts';
import { callApi } from './api-call.ts';
import { checkFileMessages } from './file-accounting.ts';
import { sentMessages, type Ledger } from './ledger.ts';
import type { MixedLoad } from './mixed-load.ts';
import { readProofState } from './record-writers.ts';

/** `counted` says how much was compared; a check that compared nothing proves nothing. */
export type Check = { name: string; counted: number; failures: string[] };

type MessageRow = {
  id: number;
  user_id: string;
  sender_id: string;
  from_admin: number;
  content: string;
  client_id: string | null;
  prev_id: number | null;
  side_ordinal: number;
};
type ConversationRow = {
  user_id: string;
  last_message_id: number;
  cleared_id: number;
  user_ordinal: number;
  admin_ordinal: number;
  user_seen_id: number;
  admin_seen_id: number;
};

const selectMessages = (sqlite: Sqlite): MessageRow[] =>
  sqlite.prepare('select * from messages order by id').all() as MessageRow[];
const selectConversations = (sqlite: Sqlite): ConversationRow[] =>
  sqlite.prepare('select * from conversations').all() as ConversationRow[];
const groupByUser = (rows: MessageRow[]): Map<string, MessageRow[]> => Map.groupBy(rows, ({ user_id }) => user_id);

function checkIntegrity(sqlite: Sqlite): Check {
  const answer = sqlite.pragma('integrity_check') as { integrity_check: string }[];
  const failures = answer.map(({ integrity_check }) => integrity_check).filter((line) => line !== 'ok');
  const orphans = sqlite.pragma('foreign_key_check') as unknown[];
  if (orphans.length > 0) failures.push(`${orphans.length} rows refer to a row that is missing`);
  return { name: 'integrity_check and foreign_key_check', counted: 1, failures };
}

function checkAcknowledged(rows: MessageRow[], ledger: Ledger): Check {
  const stored = Map.groupBy(rows, ({ sender_id, client_id }) => `${sender_id} ${client_id}`);
  const failures: string[] = [];
  let counted = 0;
  for (const { senderId, userId, messages } of ledger.lanes) {
    let previousId = 0;
    for (const { clientId, content, acknowledgedId } of messages) {
      const found = stored.get(`${senderId} ${clientId}`) ?? [];
      if (found.length > 1) failures.push(`${clientId} is stored ${found.length} times`);
      if (acknowledgedId === null) continue;
      counted += 1;
      const [row] = found;
      if (!row) failures.push(`${clientId} was acknowledged and is not stored`);
      else if (String(row.id) !== acknowledgedId || row.content !== content || row.user_id !== userId) {
        failures.push(`${clientId} was acknowledged as ${acknowledgedId} and is stored as ${row.id} "${row.content}"`);
      } else if (row.id <= previousId) failures.push(`${clientId} is stored before the message sent before it`);
      previousId = row?.id ?? previousId;
    }
  }
  return { name: 'acknowledged messages are stored once, in the order of sending', counted, failures };
}

function checkChains(rows: MessageRow[], conversations: ConversationRow[]): Check {
  const failures: string[] = [];
  const messages = groupByUser(rows);
  for (const conversation of conversations) {
    let previousId: number | null = null;
    const ordinals = [0, 0];
    for (const row of messages.get(conversation.user_id) ?? []) {
      // After a deletion of the history the next message is the first one again.
      if (row.id > conversation.cleared_id) {
        // Version 1.0.0 wrote null as well as 0 for the first message.
        if ((row.prev_id || null) !== previousId) failures.push(`message ${row.id} follows ${row.prev_id}`);
        previousId = row.id;
      }
      ordinals[row.from_admin] = (ordinals[row.from_admin] ?? 0) + 1;
      if (row.side_ordinal !== ordinals[row.from_admin]) failures.push(`message ${row.id} has another ordinal`);
    }
    const { user_id: userId, last_message_id: last, user_ordinal: user, admin_ordinal: admin } = conversation;
    if (last !== (previousId ?? 0)) failures.push(`conversation ${userId} ends with ${last}, not ${previousId}`);
    if (user !== ordinals[0] || admin !== ordinals[1])
      failures.push(`conversation ${userId} counts its messages wrong`);
  }
  return { name: 'prev_id chains, ordinals and counters of all conversations', counted: rows.length, failures };
}

function checkSeen(conversations: ConversationRow[], { seen }: Ledger): Check {
  const failures = conversations.flatMap(({ user_id: userId, user_seen_id: user, admin_seen_id: admin }) => [
    ...(user < (seen.get(`user:${userId}`) ?? 0) ? [`the user ${userId} is back at ${user}`] : []),
    ...(admin < (seen.get(`admin:${userId}`) ?? 0) ? [`the admins are back at ${admin} in ${userId}`] : []),
  ]);
  return { name: 'acknowledged seen positions are kept', counted: seen.size, failures };
}

function checkStoredFiles(sqlite: Sqlite, dataDir: string): Check {
  const referenced = listReferencedFiles(sqlite);
  const failures = referenced.filter((name) => !existsSync(join(dataDir, 'proofs', name)));
  return {
    name: 'every file that the database names is there',
    counted: referenced.length,
    failures: failures.map((name) => `${name} is missing`),
  };
}

function checkLeftOverFiles(sqlite: Sqlite, dataDir: string): Check {
  const folder = join(dataDir, 'proofs');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const referenced = new Set(listReferencedFiles(sqlite));
  return {
    name: 'no file is left over',
    counted: files.length,
    failures: files.filter((name) => !referenced.has(name)).map((name) => `${name} belongs to nothing`),
  };
}

function checkFiles(sqlite: Sqlite, dataDir: string, ledger: Ledger): Check {
  const { kept, cleared, failures } = checkFileMessages(sqlite, join(dataDir, 'proofs'), ledger);
  return {
    name: `${kept} messages have their files, ${cleared} of deleted histories are gone with theirs`,
    counted: kept + cleared,
    failures,
  };
}

/** Compares the stored data with the ledger. No server may be writing, but acknowledgements may still be open. */
export function checkStoredData({ dataDir, databaseFile }: BenchData, ledger: Ledger): Check[] {
  const { sqlite } = openForInspection(databaseFile);
  try {
    const [rows, conversations] = [selectMessages(sqlite), selectConversations(sqlite)];
    return [
      checkIntegrity(sqlite),
      checkAcknowledged(rows, ledger),
      checkChains(rows, conversations),
      checkSeen(conversations, ledger),
      checkStoredFiles(sqlite, dataDir),
      checkFiles(sqlite, dataDir, ledger),
    ];
  } finally {
    sqlite.close();
  }
}

async function checkUploads(url: string, ledger: Ledger): Promise<Check> {
  const failures: string[] = [];
  for (const record of ledger.records) {
    const found = await readProofState(url, record);
    const state = 'failed' in found ? found.failed.kind : found.state;
    if (!record.possible.includes(state)) failures.push(`${record.sptNumber} is "${state}", not ${record.possible[0]}`);
  }
  return { name: 'acknowledged uploads are served, deletions are gone', counted: ledger.records.length, failures };
}

/** The unread counts of the lists against messages that are counted one by one. */
async function checkUnreadCounts(sqlite: Sqlite, url: string, adminToken: string): Promise<Check> {
  const failures: string[] = [];
  const messages = groupByUser(selectMessages(sqlite));
  const expected = new Map(
    selectConversations(sqlite).map(({ user_id: userId, admin_seen_id: seenId, cleared_id: clearedId }) => {
      const after = Math.max(seenId, clearedId);
      const unread = (messages.get(userId) ?? []).filter(({ from_admin, id }) => from_admin === 0 && id > after);
      return [userId, unread.length];
    }),
  );
  const path = '/api/messages/conversations?limit=100&all=1';
  const { status, body } = await callApi(url, { method: 'GET', path, token: adminToken });
  const list = body as { data: ConversationSummary[]; total_unread: number };
  if (status !== 200) return { name: 'unread counts', counted: 0, failures: [`the list answered ${status}`] };
  for (const { other_user: user, unread_count: shown } of list.data) {
    const right = expected.get(user.id);
    if (shown !== right) failures.push(`${user.id} shows ${shown} unread, not ${right}`);
  }
  const total = Array.from(expected.values()).reduce((sum, count) => sum + count, 0);
  if (list.total_unread !== total) failures.push(`the total shows ${list.total_unread}, not ${total}`);
  return { name: 'unread counts of the admins', counted: list.data.length, failures };
}

function checkViews(sqlite: Sqlite, { views }: MixedLoad): Check {
  const messages = groupByUser(selectMessages(sqlite));
  const failures: string[] = [];
  for (const [key, { ids }] of views) {
    const stored = (messages.get(key.slice(key.indexOf(':') + 1)) ?? []).map(({ id }) => String(id));
    if (stored.join() !== ids.join()) failures.push(`${key} has ${ids.length} messages, stored are ${stored.length}`);
  }
  return { name: 'every client has the whole conversation, in order', counted: views.size, failures };
}

/** Compares everything, after the end of the load, with a server that runs on the data. */
export async function checkAfterLoad(data: BenchData, url: string, load: MixedLoad): Promise<Check[]> {
  const { ledger } = load;
  const sent = [...sentMessages(ledger), ...ledger.fileMessages];
  const unanswered = sent.filter(({ acknowledgedId }) => acknowledgedId === null);
  const { sqlite } = openForInspection(data.databaseFile);
  try {
    const storedCount = selectMessages(sqlite).length;
    return [
      ...checkStoredData(data, ledger),
      {
        name: 'every message was acknowledged in the end',
        counted: sent.length,
        failures: unanswered.map(({ clientId }) => `${clientId} never was`),
      },
      {
        name: 'nothing is stored that was not sent',
        counted: storedCount,
        failures: storedCount === sent.length ? [] : [`${storedCount} are stored, ${sent.length} were sent`],
      },
      {
        name: 'every deletion of a history was acknowledged in the end',
        counted: ledger.clears,
        failures: ledger.fileMessages.flatMap(({ state, acknowledgedId, clientId }) =>
          state === 'open' && acknowledgedId !== null ? [`that of ${clientId} never was`] : [],
        ),
      },
      checkLeftOverFiles(sqlite, data.dataDir),
      checkViews(sqlite, load),
      await checkUnreadCounts(sqlite, url, data.admin.token),
      await checkUploads(url, ledger),
      { name: 'nothing contradicted an acknowledgement on the way', counted: 1, failures: ledger.violations },
    ];
  } finally {
    sqlite.close();
  }
}
