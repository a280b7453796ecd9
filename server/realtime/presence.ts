import type { CurrentUser } from '#server/http/session-guards.ts';

/**
 * Knows which accounts are connected; in memory, for this process only.
 * @param monotonicNow milliseconds that only run forward
 */
export function createPresence(monotonicNow: () => number) {
  const startedAt = monotonicNow();
  /** The time at which each admin's last socket left, on that clock. */
  const adminsLeftAt = new Map<string, number>();
  const usersBySocketId = new Map<string, CurrentUser>();
  /** The number of sockets of each account, by role; counted, because every connect asks. */
  const userSocketCounts = new Map<string, number>();
  const adminSocketCounts = new Map<string, number>();

  const socketCountsOf = ({ isAdmin }: CurrentUser): Map<string, number> =>
    isAdmin ? adminSocketCounts : userSocketCounts;

  return {
    isOnline: (userId: string): boolean => userSocketCounts.has(userId) || adminSocketCounts.has(userId),
    /** The number of open sockets of an account. */
    socketsOf: (user: CurrentUser): number => socketCountsOf(user).get(user.id) ?? 0,
    /** Since when an admin has no socket, on the monotonic clock, at the earliest since the start; null while connected. */
    absentSince: (adminId: string): number | null =>
      adminSocketCounts.has(adminId) ? null : (adminsLeftAt.get(adminId) ?? startedAt),
    isAdminOnline: (): boolean => adminSocketCounts.size > 0,
    /**
     * Connected accounts by role, and all sockets. The names are those of the API (R-SYS-15) and stay: `residents` are users,
     * `administrators` are admins.
     */
    counts: () => ({
      residents: userSocketCounts.size,
      administrators: adminSocketCounts.size,
      sockets: usersBySocketId.size,
    }),
    onlineUserIds: (): string[] => [...userSocketCounts.keys()],

    /** @returns whether it is the account's first socket */
    enter(socketId: string, user: CurrentUser): boolean {
      usersBySocketId.set(socketId, user);
      const counts = socketCountsOf(user);
      const count = (counts.get(user.id) ?? 0) + 1;
      counts.set(user.id, count);
      if (user.isAdmin) adminsLeftAt.delete(user.id);
      return count === 1;
    },

    /** @returns whether it was the account's last socket */
    leave(socketId: string): boolean {
      const user = usersBySocketId.get(socketId);
      if (!user) return false;
      usersBySocketId.delete(socketId);
      const counts = socketCountsOf(user);
      const count = (counts.get(user.id) ?? 0) - 1;
      if (count > 0) counts.set(user.id, count);
      else counts.delete(user.id);
      if (count <= 0 && user.isAdmin) adminsLeftAt.set(user.id, monotonicNow());
      return count <= 0;
    },
  };
}
export type Presence = ReturnType<typeof createPresence>;
