import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sqlite } from '#server/db/sqlite/connect.ts';
import type { FileMessage, Ledger } from './ledger.ts';

type StoredMessage = { id: number; content: string };

export const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

function checkKept({ clientId, ...sent }: FileMessage, row: StoredMessage, names: string[], proofsDir: string) {
  const failures: string[] = [];
  if (String(row.id) !== sent.acknowledgedId || row.content !== sent.content) {
    failures.push(`${clientId} was acknowledged as ${sent.acknowledgedId} and is stored as ${row.id} "${row.content}"`);
  }
  const expected = sent.files.map(({ name }) => name);
  if (names.join() !== expected.join())
    failures.push(`${clientId} has the files ${names.join()}, not ${expected.join()}`);
  for (const { name, hash } of sent.files) {
    const file = join(proofsDir, name);
    if (!existsSync(file)) failures.push(`${clientId} lacks its file ${name}`);
    else if (hashOf(file) !== hash) failures.push(`${name} of ${clientId} is not as it was uploaded`);
  }
  return failures;
}

function checkCleared({ clientId }: FileMessage, row: StoredMessage, names: string[]): string[] {
  const failures: string[] = [];
  if (row.content !== '') failures.push(`${clientId} was deleted and still has its text`);
  if (names.length > 0) failures.push(`${clientId} was deleted and still has ${names.length} files in the database`);
  return failures;
}

/** The states that must have been reached; a copy may be behind. */
export type Due = { state: (message: FileMessage) => boolean; filesGone: (message: FileMessage) => boolean };
/** The text and the files of a deleted history are gone before its answer (docs/requirements.md R-CHAT-11, R-FILE-12). */
const AT_ONCE: Due = { state: () => true, filesGone: () => true };

/** Compares the messages with files with the stored ones, in the data folder or in a copy of it. */
export function checkFileMessages(
  sqlite: Sqlite,
  proofsDir: string,
  { fileMessages }: Ledger,
  due = AT_ONCE,
): { kept: number; cleared: number; failures: string[] } {
  const select = sqlite.prepare<[string, string], StoredMessage>(
    'select id, content from messages where sender_id = ? and client_id = ?',
  );
  const selectFiles = sqlite
    .prepare<[number], string>('select file from attachments where message_id = ? order by position')
    .pluck();
  const failures: string[] = [];
  const counted = { kept: 0, cleared: 0 };
  for (const message of fileMessages) {
    const { clientId, senderId, state } = message;
    const found = select.all(senderId, clientId);
    if (found.length > 1) failures.push(`${clientId} is stored ${found.length} times`);
    if (state === 'open' || !due.state(message)) continue;
    counted[state] += 1;
    const [row] = found;
    if (!row) failures.push(`${clientId} was acknowledged and is not stored`);
    else if (state === 'kept') failures.push(...checkKept(message, row, selectFiles.all(row.id), proofsDir));
    else failures.push(...checkCleared(message, row, selectFiles.all(row.id)));
    if (state !== 'cleared' || !due.filesGone(message)) continue;
    const left = message.files.filter(({ name }) => existsSync(join(proofsDir, name)));
    failures.push(...left.map(({ name }) => `${clientId} was deleted and its file ${name} is still there`));
  }
  return { ...counted, failures };
}
