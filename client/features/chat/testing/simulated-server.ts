import type { History, Message } from '#shared/api/chat/chat.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import type { HistoryParams } from '../effects/api.ts';
import type { OutboxFile } from '../files/outbox-file.ts';
import type { OutboxEntry } from '../state/model/outbox-entry.ts';
import { buildHistory } from './build-chat-data.ts';

export const USER_ID = 'u1';
/** Pages are so many times smaller than asked for, so that a gap is common. */
const PAGE_SHARE = 8;

/** The server of the simulation: one conversation, whose messages, files and deletions it keeps. */
export class SimulatedServer {
  messages: readonly Message[] = [];
  /** Texts of the user that were ever stored, in this order. */
  stored: string[] = [];
  lastNumber = 0;
  deletedUpTo = 0;
  #sent = new Map<string, Message>();
  #uploads = new Map<string, string>();
  #uploadCount = 0;

  write(fromAdmin: boolean, content: string, clientId: string | null): { message: Message; isNew: boolean } {
    const known = clientId === null ? undefined : this.#sent.get(clientId);
    if (known) return { message: known, isNew: false };
    this.lastNumber += 1;
    const id = String(this.lastNumber);
    const at = '2026-08-03T02:00:00.000Z';
    const message: Message = {
      _id: id,
      id,
      user_id: USER_ID,
      sender_id: fromAdmin ? 'a1' : USER_ID,
      sender_name: fromAdmin ? 'Ratna' : 'Siti',
      from_admin: fromAdmin,
      content,
      kind: 'chat',
      attachments: [],
      record: null,
      client_id: clientId,
      prev_id: this.messages.at(-1)?._id ?? null,
      reply_to: null,
      quoted: null,
      createdAt: at,
      created_at: at,
    };
    this.messages = [...this.messages, message];
    if (clientId !== null) this.#sent.set(clientId, message);
    if (!fromAdmin) this.stored.push(content);
    return { message, isNew: true };
  }

  send({ client_id, content, files }: OutboxEntry): { message: Message; isNew: boolean } {
    const known = this.#sent.has(client_id);
    const isComplete = files.every(({ id, uploadedId }) => uploadedId !== null && this.#uploads.get(id) === uploadedId);
    if (!known && !isComplete) throw new ApiError('http', { status: 404, message: 'Berkas tidak ada' });
    return this.write(false, content, client_id);
  }

  upload({ id }: OutboxFile): string {
    const known = this.#uploads.get(id) ?? `f${(this.#uploadCount += 1)}`;
    this.#uploads.set(id, known);
    return known;
  }

  deleteHistory(): void {
    this.messages = [];
    this.deletedUpTo = this.lastNumber;
  }

  expireUploads(): void {
    this.#uploads.clear();
  }

  history({ limit: fullLimit, before, after, around }: HistoryParams): History {
    const all = this.messages;
    const limit = Math.ceil(fullLimit / PAGE_SHARE);
    if (around !== undefined) {
      const middle = all.filter(({ _id }) => Number(_id) <= around).length;
      const from = Math.max(0, Math.min(middle - Math.ceil(limit / 2), all.length - limit));
      const to = Math.min(all.length, from + limit);
      const fields = { total: all.length, has_more: from > 0, has_older: from > 0, has_newer: to < all.length };
      return buildHistory(all.slice(from, to), fields);
    }
    const found = all.filter(({ _id }) => Number(_id) > (after ?? 0) && Number(_id) < (before ?? Infinity));
    const page = after === undefined ? found.slice(-limit) : found.slice(0, limit);
    return buildHistory(page, { total: all.length, has_more: found.length > limit });
  }
}
