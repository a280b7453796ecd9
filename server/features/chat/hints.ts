import type { FastifyBaseLogger } from 'fastify';
import { deliveredHint, HINTS, typingHint, viewingHint } from '#shared/chat-hints.ts';
import { HINTS_MAX, HINTS_WINDOW_MS } from '#shared/limits.ts';
import type { Context } from '#server/context.ts';
import type { ChatSocket } from '#server/realtime/namespace.ts';
import { sideOf, type ChatCursors } from './cursors.ts';
import type { ChatQueries } from './queries.ts';

/** All sockets of one account together: as many as a few busy tabs, however many were opened. */
const ACCOUNT_HINTS_MAX = 4 * HINTS_MAX;

/** The three hints of contract 5: none is answered, and whatever their payload is, nothing worse than silence follows. */
export function createHints(
  { publish, presence, now }: Context,
  cursors: ChatCursors,
  statements: ChatQueries,
  log: FastifyBaseLogger,
) {
  const mayAccount = createHintBudget(ACCOUNT_HINTS_MAX, now);

  return (socket: ChatSocket): void => {
    const maySocket = createHintBudget(HINTS_MAX, now);

    /** Whose conversation a hint is about: a resident's is always their own, an administrator names a resident. */
    function conversationOf(userId: string | undefined): string | null {
      const { viewer } = socket.data;
      if (!viewer.isAdmin) return viewer.id;
      if (userId === undefined) return null;
      const person = statements.findPerson(userId);
      return person && !person.isAdmin ? person.id : null;
    }

    /** No handler may throw: that would end the process. */
    function guard(handle: (payload: unknown) => Promise<void> | void): (payload: unknown) => void {
      const failed = (error: unknown): void => log.error({ err: error }, 'hint failed');
      return (payload) => {
        try {
          Promise.resolve(handle(payload)).catch(failed);
        } catch (error) {
          failed(error);
        }
      };
    }

    // The first thing that looks at a packet, because it is the cheapest: a flood costs its sender their hints.
    socket.use(([name], next) => {
      if (HINTS.has(name) && maySocket(socket.id) && mayAccount(socket.data.viewer.id)) next();
    });
    socket.on(
      'typing',
      guard((payload) => {
        const hint = typingHint.safeParse(payload);
        const userId = hint.success ? conversationOf(hint.data.user_id) : null;
        if (!hint.success || userId === null) return;
        const { viewer } = socket.data;
        const typing = { user_id: userId, sender_id: viewer.id, name: viewer.name, typing: hint.data.typing };
        // The other administrators see it too, so that two of them do not answer at once.
        publish.toConversation(userId, 'typing', typing, viewer.id);
      }),
    );
    socket.on(
      'viewing',
      guard((payload) => {
        const hint = viewingHint.safeParse(payload);
        const { viewer } = socket.data;
        if (!viewer.isAdmin || !hint.success) return;
        const userId = hint.data.user_id === null ? null : conversationOf(hint.data.user_id);
        const before = presence.look(socket.id, viewer, userId);
        for (const changed of new Set([before, userId])) {
          if (changed !== null) publish.toAdmins('viewing', { user_id: changed, viewers: presence.viewersOf(changed) });
        }
      }),
    );
    socket.on(
      'delivered',
      guard(async (payload) => {
        const hint = deliveredHint.safeParse(payload);
        const userId = hint.success ? conversationOf(hint.data.user_id) : null;
        if (!hint.success || userId === null) return;
        await cursors.deliver(userId, sideOf(socket.data.viewer), Number(hint.data.up_to));
      }),
    );
  };
}

/** A fixed window for everybody at once: forgetting all of it costs nothing, and nobody's count stays in memory. */
function createHintBudget(max: number, now: () => number): (key: string) => boolean {
  const used = new Map<string, number>();
  let windowStart = now();
  return (key) => {
    const at = now();
    // A clock that was put back must not stretch the window.
    if (at - windowStart >= HINTS_WINDOW_MS || at < windowStart) {
      windowStart = at;
      used.clear();
    }
    const count = (used.get(key) ?? 0) + 1;
    used.set(key, count);
    return count <= max;
  };
}
