import type { FastifyBaseLogger } from 'fastify';
import { clientEvents } from '#shared/client-events.ts';
import { CLIENT_EVENTS_MAX, CLIENT_EVENTS_WINDOW_MS } from '#shared/limits.ts';
import type { ServiceContext } from '#server/service-context.ts';
import type { NamespaceSocket } from '#server/realtime/namespace.ts';
import { sideOf, type ChatCursors } from './cursors.ts';
import type { ChatQueries } from './queries.ts';

const CLIENT_EVENT_NAMES: ReadonlySet<unknown> = new Set(Object.keys(clientEvents));
/** All sockets of one account together: as many as a few busy tabs, however many were opened. */
const ACCOUNT_CLIENT_EVENTS_MAX = 4 * CLIENT_EVENTS_MAX;

/** The three hints of contract 5: none is answered, and whatever their payload is, nothing worse than silence follows. */
export function createSocketHandlers(
  { publish, presence, now }: ServiceContext,
  cursors: ChatCursors,
  statements: ChatQueries,
  log: FastifyBaseLogger,
) {
  const isAccountWithinLimit = createClientEventLimit(ACCOUNT_CLIENT_EVENTS_MAX, now);

  return (socket: NamespaceSocket): void => {
    const isSocketWithinLimit = createClientEventLimit(CLIENT_EVENTS_MAX, now);

    /** Whose conversation a hint is about: a resident's is always their own, an administrator names a resident. */
    function findConversationUserId(userId: string | undefined): string | null {
      const { currentUser } = socket.data;
      if (!currentUser.isAdmin) return currentUser.id;
      if (userId === undefined) return null;
      const user = statements.findUser(userId);
      return user && !user.isAdmin ? user.id : null;
    }

    /** No handler may throw: that would end the process. */
    function catchErrors(handle: (payload: unknown) => Promise<void> | void): (payload: unknown) => void {
      const logError = (error: unknown): void => log.error({ err: error }, 'hint failed');
      return (payload) => {
        try {
          Promise.resolve(handle(payload)).catch(logError);
        } catch (error) {
          logError(error);
        }
      };
    }

    // The first thing that looks at a packet, because it is the cheapest: a flood costs its sender their hints.
    socket.use(([name], next) => {
      if (
        CLIENT_EVENT_NAMES.has(name) &&
        isSocketWithinLimit(socket.id) &&
        isAccountWithinLimit(socket.data.currentUser.id)
      )
        next();
    });
    socket.on(
      'typing',
      catchErrors((payload) => {
        const parsed = clientEvents.typing.safeParse(payload);
        const userId = parsed.success ? findConversationUserId(parsed.data.user_id) : null;
        if (!parsed.success || userId === null) return;
        const { currentUser } = socket.data;
        const typing = {
          user_id: userId,
          sender_id: currentUser.id,
          name: currentUser.name,
          typing: parsed.data.typing,
        };
        // The other administrators see it too, so that two of them do not answer at once.
        publish.toConversation(userId, 'typing', typing, currentUser.id);
      }),
    );
    socket.on(
      'viewing',
      catchErrors((payload) => {
        const parsed = clientEvents.viewing.safeParse(payload);
        const { currentUser } = socket.data;
        if (!currentUser.isAdmin || !parsed.success) return;
        const userId = parsed.data.user_id === null ? null : findConversationUserId(parsed.data.user_id);
        const before = presence.look(socket.id, currentUser, userId);
        for (const changed of new Set([before, userId])) {
          if (changed !== null) publish.toAdmins('viewing', { user_id: changed, viewers: presence.viewersOf(changed) });
        }
      }),
    );
    socket.on(
      'delivered',
      catchErrors(async (payload) => {
        const parsed = clientEvents.delivered.safeParse(payload);
        const userId = parsed.success ? findConversationUserId(parsed.data.user_id) : null;
        if (!parsed.success || userId === null) return;
        await cursors.deliver(userId, sideOf(socket.data.currentUser), Number(parsed.data.up_to));
      }),
    );
  };
}

/** A fixed window for everybody at once: forgetting all of it costs nothing, and nobody's count stays in memory. */
function createClientEventLimit(max: number, now: () => number): (key: string) => boolean {
  const counts = new Map<string, number>();
  let windowStart = now();
  return (key) => {
    const at = now();
    // A clock that was put back must not stretch the window.
    if (at - windowStart >= CLIENT_EVENTS_WINDOW_MS || at < windowStart) {
      windowStart = at;
      counts.clear();
    }
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count <= max;
  };
}
