import type { Attachment, History, Message } from '#shared/api/chat/chat.ts';
import type { Side } from '#shared/events.ts';
import { HISTORY_DEFAULT } from '#shared/limits.ts';
import { buildAttachment, buildHistory } from './build-chat-data.ts';
import type { FakeSocket } from '#client/realtime/testing/fake-socket.ts';

type HistoryRange = { limit?: number; before?: number; after?: number; around?: number };

/**
 * The server's side of one conversation, in memory. It follows R-CHAT-5, R-CHAT-7 and R-CHAT-10 and pushes to connected
 * sockets.
 */
export function fakeChatServer() {
  const sockets = new Set<Pick<FakeSocket, 'push'>>();
  const sentByClientId = new Map<string, Message>();
  const seen: Record<Side, number> = { user: 0, admin: 0 };
  const allMessages: Message[] = [];
  let currentMessages: Message[] = [];
  let lastNumber = 0;
  let lastLinkNumber = 1;

  /** Each answer has links of its own, as the real server's. */
  function withFreshLinks(message: Message): Message {
    if (message.attachments.length === 0) return message;
    const e = (lastLinkNumber += 1);
    const attachments = message.attachments.map((file) => ({ ...file, url: file.url.replace(/e=\d+/, `e=${e}`) }));
    return { ...message, attachments };
  }

  const pushToAll = (push: (socket: Pick<FakeSocket, 'push'>) => void): void => {
    for (const socket of sockets) push(socket);
  };
  const unreadOf = (side: Side): number =>
    currentMessages.filter(({ from_admin, _id }) => from_admin === (side === 'user') && Number(_id) > seen[side])
      .length;
  const idOrNull = (id: number): string | null => (id > 0 ? String(id) : null);

  return {
    sockets,
    unreadOf,
    get messages(): readonly Message[] {
      return currentMessages;
    },
    get sentCount(): number {
      return lastNumber;
    },
    /** The texts that a side ever stored, deleted or not. */
    storedBy: (side: Side): string[] =>
      allMessages.filter(({ from_admin }) => from_admin === (side === 'admin')).map(({ content }) => content),
    write(side: Side, content: string, clientId: string | null = null, fields: Partial<Message> = {}): Message {
      const known = clientId === null ? undefined : sentByClientId.get(`${side} ${clientId}`);
      if (known) return known;
      lastNumber += 1;
      const at = new Date(Date.UTC(2026, 7, 3, 2, 0, lastNumber)).toISOString();
      const message: Message = {
        _id: String(lastNumber),
        id: String(lastNumber),
        user_id: 'u1',
        sender_id: side === 'user' ? 'u1' : 'a1',
        sender_name: side === 'user' ? 'Siti' : 'Ibu Ratna',
        from_admin: side === 'admin',
        content,
        kind: 'chat',
        attachments: [],
        record: null,
        client_id: clientId,
        prev_id: currentMessages.at(-1)?._id ?? null,
        reply_to: null,
        quoted: null,
        createdAt: at,
        created_at: at,
        ...fields,
      };
      currentMessages = [...currentMessages, message];
      allMessages.push(message);
      if (clientId !== null) sentByClientId.set(`${side} ${clientId}`, message);
      pushToAll((socket) => socket.push('message:new', withFreshLinks(message)));
      return message;
    },
    /** Writes a notice about the act of an admin on a record. */
    writeNotice(): void {
      this.write('admin', 'Foto disimpan sebagai bukti PBB 2026', null, { kind: 'notice' });
    },
    writePhoto(): void {
      const attachments = [buildAttachment({ id: `f${lastNumber + 1}` })];
      this.write('admin', 'Foto: bukti.jpg', null, { attachments });
    },
    /** A photo became the proof of a record, or is it no more. */
    fileAsProof(attachmentId: string, proofOf: Attachment['proof_of']): void {
      currentMessages = currentMessages.map((message) => ({
        ...message,
        attachments: message.attachments.map((file) =>
          file.id === attachmentId ? { ...file, proof_of: proofOf } : file,
        ),
      }));
    },
    writeMany(side: Side, count: number): void {
      for (let left = count; left > 0; left -= 1) this.write(side, `${side} ${lastNumber + 1}`);
    },
    clear(): void {
      currentMessages = [];
      pushToAll((socket) => socket.push('conversation:deleted', { user_id: 'u1' }));
    },
    /** Deletes the messages up to this one, as the retention does. */
    clearUpTo(id: number): void {
      const [first, ...others] = currentMessages.filter(({ _id }) => Number(_id) > id);
      currentMessages = first ? [{ ...first, prev_id: null }, ...others] : [];
      pushToAll((socket) => socket.push('conversation:deleted', { user_id: 'u1' }));
    },
    see(side: Side, upTo: number): number {
      seen[side] = Math.max(seen[side], Math.min(upTo, Number(currentMessages.at(-1)?._id ?? 0)));
      pushToAll((socket) => socket.push('conversation:seen', { user_id: 'u1', by: side, up_to: String(seen[side]) }));
      return unreadOf(side);
    },
    history({ limit = HISTORY_DEFAULT, before, after, around }: HistoryRange): History {
      if (around !== undefined) {
        const middle = currentMessages.filter(({ _id }) => Number(_id) <= around).length;
        const from = Math.max(0, Math.min(middle - Math.ceil(limit / 2), currentMessages.length - limit));
        const to = Math.min(currentMessages.length, from + limit);
        return buildHistory(currentMessages.slice(from, to).map(withFreshLinks), {
          total: currentMessages.length,
          limit,
          has_more: from > 0,
          has_older: from > 0,
          has_newer: to < currentMessages.length,
        });
      }
      let found = currentMessages.filter(({ _id }) => Number(_id) > (after ?? 0) && Number(_id) < (before ?? Infinity));
      const has_more = found.length > limit;
      found = after === undefined ? found.slice(-limit) : found.slice(0, limit);
      return buildHistory(found.map(withFreshLinks), {
        total: currentMessages.length,
        limit,
        has_more,
        user_seen_id: idOrNull(seen.user),
        admin_seen_id: idOrNull(seen.admin),
      });
    },
  };
}
export type FakeChatServer = ReturnType<typeof fakeChatServer>;
