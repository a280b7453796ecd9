import type { CurrentUser } from '#server/http/session.ts';

type ConnectedSocket = { user: CurrentUser; viewedUserId: string | null };

/** Who is connected and which conversation an administrator looks at; in memory, true for this process only. */
export function createPresence() {
  const socketsById = new Map<string, ConnectedSocket>();
  /** How many sockets each account has, by role: counted, because every connect asks. */
  const userSocketCounts = new Map<string, number>();
  const adminSocketCounts = new Map<string, number>();
  /** Few, unlike `seats`: only these can look at a conversation. */
  const adminSocketsById = new Map<string, ConnectedSocket>();

  const socketCountsOf = ({ isAdmin }: CurrentUser): Map<string, number> =>
    isAdmin ? adminSocketCounts : userSocketCounts;

  return {
    isOnline: (userId: string): boolean => userSocketCounts.has(userId) || adminSocketCounts.has(userId),
    /** How many sockets an account has open. */
    socketsOf: (user: CurrentUser): number => socketCountsOf(user).get(user.id) ?? 0,
    isAdminOnline: (): boolean => adminSocketCounts.size > 0,
    /** Accounts by role, and all their sockets. */
    counts: () => ({
      residents: userSocketCounts.size,
      administrators: adminSocketCounts.size,
      sockets: socketsById.size,
    }),
    onlineResidents: (): string[] => [...userSocketCounts.keys()],

    /** @returns whether it is the account's first socket */
    enter(socketId: string, user: CurrentUser): boolean {
      const socket: ConnectedSocket = { user, viewedUserId: null };
      socketsById.set(socketId, socket);
      if (user.isAdmin) adminSocketsById.set(socketId, socket);
      const counts = socketCountsOf(user);
      const count = (counts.get(user.id) ?? 0) + 1;
      counts.set(user.id, count);
      return count === 1;
    },

    /** @returns whether it was the account's last socket, and the conversation it looked at */
    leave(socketId: string): { gone: boolean; viewed: string | null } {
      const socket = socketsById.get(socketId);
      if (!socket) return { gone: false, viewed: null };
      socketsById.delete(socketId);
      adminSocketsById.delete(socketId);
      const counts = socketCountsOf(socket.user);
      const count = (counts.get(socket.user.id) ?? 0) - 1;
      if (count > 0) counts.set(socket.user.id, count);
      else counts.delete(socket.user.id);
      return { gone: count <= 0, viewed: socket.viewedUserId };
    },

    /** @returns the conversation it looked at before */
    look(socketId: string, user: CurrentUser, userId: string | null): string | null {
      const socket = adminSocketsById.get(socketId);
      if (!socket) return null;
      const previousUserId = socket.viewedUserId;
      socket.viewedUserId = userId;
      // The name may be a new one.
      socket.user = user;
      return previousUserId;
    },

    /** The administrators who look at a conversation, each once however many tabs they have. */
    viewersOf(userId: string): { id: string; name: string }[] {
      const viewers = new Map<string, string>();
      for (const { user, viewedUserId } of adminSocketsById.values())
        if (viewedUserId === userId) viewers.set(user.id, user.name);
      return Array.from(viewers, ([id, name]) => ({ id, name }));
    },
  };
}
export type Presence = ReturnType<typeof createPresence>;
