import type { History, Message } from '#shared/api/chat.ts';
import type { Side } from '#shared/chat-events.ts';
import { HISTORY_DEFAULT } from '#shared/limits.ts';
import { buildHistory } from './build.ts';
import type { FakeSocket } from './fake-socket.ts';

type Query = { limit?: number; before?: number; after?: number };

/** The server's part of one conversation, in memory: the same rules as contract 4 and 5, and pushes to whoever is connected. */
export function fakeOffice() {
  const sockets = new Set<Pick<FakeSocket, 'push'>>();
  const sent = new Map<string, Message>();
  const seen: Record<Side, number> = { user: 0, admin: 0 };
  const everything: Message[] = [];
  let kept: Message[] = [];
  let lastNumber = 0;

  const tellAll = (tell: (socket: Pick<FakeSocket, 'push'>) => void): void => {
    for (const socket of sockets) tell(socket);
  };
  const unreadOf = (side: Side): number =>
    kept.filter(({ from_admin, _id }) => from_admin === (side === 'user') && Number(_id) > seen[side]).length;
  const idOrNull = (id: number): string | null => (id > 0 ? String(id) : null);

  return {
    sockets,
    unreadOf,
    get messages(): readonly Message[] {
      return kept;
    },
    get sentCount(): number {
      return lastNumber;
    },
    /** What a side ever stored, deleted or not. */
    storedBy: (side: Side): string[] =>
      everything.filter(({ from_admin }) => from_admin === (side === 'admin')).map(({ content }) => content),
    write(side: Side, content: string, clientId: string | null = null): Message {
      const known = clientId === null ? undefined : sent.get(`${side} ${clientId}`);
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
        client_id: clientId,
        prev_id: kept.at(-1)?._id ?? null,
        createdAt: at,
        created_at: at,
      };
      kept = [...kept, message];
      everything.push(message);
      if (clientId !== null) sent.set(`${side} ${clientId}`, message);
      tellAll((socket) => socket.push('message:new', message));
      return message;
    },
    clear(): void {
      kept = [];
      tellAll((socket) => socket.push('conversation:deleted', { user_id: 'u1' }));
    },
    see(side: Side, upTo: number): number {
      seen[side] = Math.max(seen[side], Math.min(upTo, Number(kept.at(-1)?._id ?? 0)));
      tellAll((socket) => socket.push('conversation:seen', { user_id: 'u1', by: side, up_to: String(seen[side]) }));
      return unreadOf(side);
    },
    history({ limit = HISTORY_DEFAULT, before, after }: Query): History {
      let found = kept.filter(({ _id }) => Number(_id) > (after ?? 0) && Number(_id) < (before ?? Infinity));
      const has_more = found.length > limit;
      found = after === undefined ? found.slice(-limit) : found.slice(0, limit);
      return buildHistory(found, {
        total: kept.length,
        limit,
        has_more,
        user_seen_id: idOrNull(seen.user),
        admin_seen_id: idOrNull(seen.admin),
      });
    },
  };
}
export type FakeOffice = ReturnType<typeof fakeOffice>;
