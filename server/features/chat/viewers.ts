import type { CurrentUser } from '#server/http/session-guards.ts';

type AdminSocket = { admin: CurrentUser; viewedUserId: string | null };

/** Which conversation each socket of an admin has open; in memory, known for this process only. */
export function createViewers() {
  const adminSocketsById = new Map<string, AdminSocket>();

  return {
    enter: (socketId: string, admin: CurrentUser): void =>
      void adminSocketsById.set(socketId, { admin, viewedUserId: null }),

    /** @returns the conversation that it had open */
    leave(socketId: string): string | null {
      const socket = adminSocketsById.get(socketId);
      adminSocketsById.delete(socketId);
      return socket?.viewedUserId ?? null;
    },

    /** @returns the conversation that it had open before */
    setViewing(socketId: string, admin: CurrentUser, userId: string | null): string | null {
      const socket = adminSocketsById.get(socketId);
      if (!socket) return null;
      const previousUserId = socket.viewedUserId;
      socket.viewedUserId = userId;
      // The name may be a new one.
      socket.admin = admin;
      return previousUserId;
    },

    /** The admins who have a conversation open, each once, in the order in which their sockets connected. */
    viewersOf(userId: string): { id: string; name: string }[] {
      const viewers = new Map<string, string>();
      for (const { admin, viewedUserId } of adminSocketsById.values())
        if (viewedUserId === userId) viewers.set(admin.id, admin.name);
      return Array.from(viewers, ([id, name]) => ({ id, name }));
    },
  };
}
