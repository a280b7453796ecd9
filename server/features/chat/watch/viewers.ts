import type { CurrentUser } from '#server/http/session-guards.ts';

type AdminSocket = { admin: CurrentUser; viewedUserIds: readonly string[] };

/** Which conversations each socket of an admin has open; in memory, known for this process only. */
export function createViewers() {
  const adminSocketsById = new Map<string, AdminSocket>();

  return {
    enter: (socketId: string, admin: CurrentUser): void =>
      void adminSocketsById.set(socketId, { admin, viewedUserIds: [] }),

    /** @returns the conversations that it had open */
    leave(socketId: string): readonly string[] {
      const socket = adminSocketsById.get(socketId);
      adminSocketsById.delete(socketId);
      return socket?.viewedUserIds ?? [];
    },

    /** @returns the conversations that it had open before */
    setViewing(socketId: string, admin: CurrentUser, userIds: readonly string[]): readonly string[] {
      const socket = adminSocketsById.get(socketId);
      if (!socket) return [];
      const previousUserIds = socket.viewedUserIds;
      socket.viewedUserIds = userIds;
      // The name may be a new one.
      socket.admin = admin;
      return previousUserIds;
    },

    /** The admins who have a conversation open, each once, in the order in which their sockets connected. */
    viewersOf(userId: string): { id: string; name: string }[] {
      const viewers = new Map<string, string>();
      for (const { admin, viewedUserIds } of adminSocketsById.values())
        if (viewedUserIds.includes(userId)) viewers.set(admin.id, admin.name);
      return Array.from(viewers, ([id, name]) => ({ id, name }));
    },
  };
}
