import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CLAIM_ABSENCE_MS } from '#shared/limits.ts';
import type { Acknowledged } from './acknowledged.ts';

/** Rows as PostgreSQL sends them: numbers of 64 bits are texts. */
type MessageRow = { id: string; user_id: string; client_id: string; content: string };
type FileRow = {
  id: string;
  uploader_id: string;
  message_id: string | null;
  file: string;
  thumb_file: string | null;
  bytes: string;
};
export type Query = <R extends object>(text: string) => Promise<R[]>;

/** Each number is that of contradictions, and `examples` says some of them in words. */
export type Account = {
  lost: number;
  changed: number;
  doubled: number;
  gaps: number;
  files: number;
  claims: number;
  takeovers: number;
  /** Claims young enough to be compared: older ones may have ended by themselves. */
  comparedClaims: number;
  examples: string[];
};

async function checkMessages(query: Query, { messages }: Acknowledged): Promise<Omit<Account, 'files' | 'claims'>> {
  const rows = await query<MessageRow>(
    'select id, user_id, client_id, content from messages where client_id is not null',
  );
  const stored = Map.groupBy(rows, (row) => `${row.user_id} ${row.client_id}`);
  const [chain] = await query<{ gaps: string }>(
    `select count(*) as gaps from (
      select prev_id, lag(id) over (partition by user_id order by id) as before from messages
    ) as chain where prev_id is distinct from before`,
  );
  const [lost, changed]: [string[], string[]] = [[], []];
  for (const { id, userId, clientId, content } of messages) {
    const [row] = stored.get(`${userId} ${clientId}`) ?? [];
    if (!row) lost.push(`message ${id} of ${userId} is lost`);
    else if (row.id !== id || row.content !== content)
      changed.push(`message ${id} "${content}" is stored as ${row.id} "${row.content}"`);
  }
  return {
    lost: lost.length,
    changed: changed.length,
    doubled: [...stored.values()].filter((same) => same.length > 1).length,
    gaps: Number(chain?.gaps),
    takeovers: 0,
    comparedClaims: 0,
    examples: [...lost, ...changed],
  };
}

/** Compares each acknowledged file: its row, its message, and what is in the folder. */
async function checkFiles(query: Query, { messages, files }: Acknowledged, folder: string): Promise<string[]> {
  const rows = await query<FileRow>('select id, uploader_id, message_id, file, thumb_file, bytes from attachments');
  const stored = new Map(rows.map((row) => [row.id, row]));
  const messageOf = new Map(messages.flatMap(({ id, attachmentIds }) => attachmentIds.map((file) => [file, id])));
  const sizeOf = (name: string): number => {
    const path = join(folder, 'proofs', name);
    return existsSync(path) ? statSync(path).size : -1;
  };
  return files.flatMap(({ id, userId, bytes }) => {
    const row = stored.get(id);
    if (!row || row.uploader_id !== userId) return [`file ${id} has no row`];
    const messageId = messageOf.get(id);
    // A file whose message was not acknowledged may be sent or not.
    if (messageId !== undefined && row.message_id !== messageId)
      return [`file ${id} is at ${row.message_id}, not ${messageId}`];
    if (Number(row.bytes) !== bytes) return [`file ${id} has ${row.bytes} bytes in its row, not ${bytes}`];
    if (sizeOf(row.file) !== bytes) return [`file ${id} has ${sizeOf(row.file)} bytes in the folder, not ${bytes}`];
    return row.thumb_file !== null && sizeOf(row.thumb_file) < 0 ? [`file ${id} lacks its small picture`] : [];
  });
}

async function checkClaims(query: Query, { claims }: Acknowledged): Promise<{ wrong: string[]; compared: number }> {
  const atMs = performance.now();
  const rows = await query<{ user_id: string; claimed_by: string | null }>(
    'select user_id, claimed_by from conversations',
  );
  const holders = new Map(rows.map((row) => [row.user_id, row.claimed_by]));
  // The administrators of this load have no connection, so a claim ends by itself.
  const standing = [...claims].filter(([, claim]) => atMs - claim.atMs < CLAIM_ABSENCE_MS);
  return {
    wrong: standing
      .filter(([userId, claim]) => holders.get(userId) !== claim.holderId)
      .map(([userId, { holderId }]) => `${userId} is claimed by ${holders.get(userId)}, not ${holderId}`),
    compared: standing.length,
  };
}

/** Every acknowledged takeover is in the audit; one that was repeated after a lost answer is there once. */
async function checkTakeovers(query: Query, { takeovers }: Acknowledged): Promise<string[]> {
  const rows = await query<{ user_id: string; count: string }>(
    "select subject_id as user_id, count(*) as count from audit_entries where action = 'conversation.taken' group by 1",
  );
  const entries = new Map(rows.map(({ user_id: userId, count }) => [userId, Number(count)]));
  return [...takeovers]
    .filter(([userId, count]) => (entries.get(userId) ?? 0) < count)
    .map(([userId, count]) => `${userId} has ${entries.get(userId) ?? 0} takeovers in the audit, not ${count}`);
}

/** Compares what was acknowledged with what is stored, right after the end of the load. @param folder FILES_DIR */
export async function account(query: Query, acknowledged: Acknowledged, folder: string): Promise<Account> {
  // First, because claims end by themselves.
  const claims = await checkClaims(query, acknowledged);
  const messages = await checkMessages(query, acknowledged);
  const files = await checkFiles(query, acknowledged, folder);
  const takeovers = await checkTakeovers(query, acknowledged);
  return {
    ...messages,
    files: files.length,
    claims: claims.wrong.length,
    takeovers: takeovers.length,
    comparedClaims: claims.compared,
    examples: [...messages.examples, ...files, ...claims.wrong, ...takeovers],
  };
}
