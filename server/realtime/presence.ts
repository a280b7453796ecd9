import type { Viewer } from '#server/http/session.ts';

type Seat = { viewer: Viewer; viewing: string | null };

/** Who is connected and which conversation an administrator looks at; in memory, true for this process only. */
export function createPresence() {
  const seats = new Map<string, Seat>();
  /** How many sockets each account has, by role: counted, because every connect asks. */
  const residents = new Map<string, number>();
  const admins = new Map<string, number>();
  /** Few, unlike `seats`: only these can look at a conversation. */
  const adminSeats = new Map<string, Seat>();

  const countsOf = ({ isAdmin }: Viewer): Map<string, number> => (isAdmin ? admins : residents);

  return {
    isOnline: (userId: string): boolean => residents.has(userId) || admins.has(userId),
    /** How many sockets an account has open. */
    socketsOf: (viewer: Viewer): number => countsOf(viewer).get(viewer.id) ?? 0,
    isAdminOnline: (): boolean => admins.size > 0,
    /** Accounts by role, and all their sockets. */
    counts: () => ({ residents: residents.size, administrators: admins.size, sockets: seats.size }),
    onlineResidents: (): string[] => [...residents.keys()],

    /** @returns whether it is the account's first socket */
    enter(socketId: string, viewer: Viewer): boolean {
      const seat: Seat = { viewer, viewing: null };
      seats.set(socketId, seat);
      if (viewer.isAdmin) adminSeats.set(socketId, seat);
      const counts = countsOf(viewer);
      const count = (counts.get(viewer.id) ?? 0) + 1;
      counts.set(viewer.id, count);
      return count === 1;
    },

    /** @returns whether it was the account's last socket, and the conversation it looked at */
    leave(socketId: string): { gone: boolean; viewed: string | null } {
      const seat = seats.get(socketId);
      if (!seat) return { gone: false, viewed: null };
      seats.delete(socketId);
      adminSeats.delete(socketId);
      const counts = countsOf(seat.viewer);
      const count = (counts.get(seat.viewer.id) ?? 0) - 1;
      if (count > 0) counts.set(seat.viewer.id, count);
      else counts.delete(seat.viewer.id);
      return { gone: count <= 0, viewed: seat.viewing };
    },

    /** @returns the conversation it looked at before */
    look(socketId: string, viewer: Viewer, userId: string | null): string | null {
      const seat = adminSeats.get(socketId);
      if (!seat) return null;
      const before = seat.viewing;
      seat.viewing = userId;
      // The name may be a new one.
      seat.viewer = viewer;
      return before;
    },

    /** The administrators who look at a conversation, each once however many tabs they have. */
    viewersOf(userId: string): { id: string; name: string }[] {
      const viewers = new Map<string, string>();
      for (const { viewer, viewing } of adminSeats.values())
        if (viewing === userId) viewers.set(viewer.id, viewer.name);
      return Array.from(viewers, ([id, name]) => ({ id, name }));
    },
  };
}
export type Presence = ReturnType<typeof createPresence>;
