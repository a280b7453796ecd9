import type { CurrentUser } from '#server/http/session-guards.ts';

type ViewingSocket = { currentUser: CurrentUser; viewedUserIds: readonly string[]; isVisible: boolean };

/** The conversations that each socket has open; in memory, known for this process only. */
export function createViewers() {
  const socketsById = new Map<string, ViewingSocket>();
  const adminSockets = new Set<ViewingSocket>();
  const socketsByAccount = new Map<string, Set<ViewingSocket>>();

  const socketsOf = (accountId: string): Iterable<ViewingSocket> => socketsByAccount.get(accountId) ?? [];

  return {
    enter(socketId: string, currentUser: CurrentUser): void {
      const socket = { currentUser, viewedUserIds: [], isVisible: false };
      socketsById.set(socketId, socket);
      if (currentUser.isAdmin) adminSockets.add(socket);
      const own = socketsByAccount.get(currentUser.id) ?? new Set();
      socketsByAccount.set(currentUser.id, own.add(socket));
    },

    /** @returns the conversations that it had open, and whether its page was visible */
    leave(socketId: string): Pick<ViewingSocket, 'viewedUserIds' | 'isVisible'> {
      const socket = socketsById.get(socketId);
      if (!socket) return { viewedUserIds: [], isVisible: false };
      socketsById.delete(socketId);
      adminSockets.delete(socket);
      const own = socketsByAccount.get(socket.currentUser.id);
      own?.delete(socket);
      if (own?.size === 0) socketsByAccount.delete(socket.currentUser.id);
      return socket;
    },

    /**
     * @param isVisible whether the page is on the screen; colleagues also see an admin whose page is hidden
     * @returns the conversations that it had open before
     */
    setViewing(
      socketId: string,
      currentUser: CurrentUser,
      userIds: readonly string[],
      isVisible: boolean,
    ): readonly string[] {
      const socket = socketsById.get(socketId);
      if (!socket) return [];
      const previousUserIds = socket.viewedUserIds;
      // The name may be a new one.
      Object.assign(socket, { currentUser, viewedUserIds: userIds, isVisible });
      return previousUserIds;
    },

    /** The admins who have a conversation open, each once, in the order in which their sockets connected. */
    viewersOf(userId: string): { id: string; name: string }[] {
      const viewers = new Map<string, string>();
      for (const { currentUser, viewedUserIds } of adminSockets)
        if (viewedUserIds.includes(userId)) viewers.set(currentUser.id, currentUser.name);
      return Array.from(viewers, ([id, name]) => ({ id, name }));
    },

    /** Whether an account has a conversation on the screen of a visible page that is connected (R-PUSH-10). */
    isViewing: (accountId: string, userId: string): boolean => {
      for (const { isVisible, viewedUserIds } of socketsOf(accountId))
        if (isVisible && viewedUserIds.includes(userId)) return true;
      return false;
    },

    /** Whether a session has a page that is connected: what was read elsewhere reaches it there. */
    isConnected: (accountId: string, sessionId: string): boolean => {
      for (const { currentUser } of socketsOf(accountId)) if (currentUser.sessionId === sessionId) return true;
      return false;
    },
  };
}
export type Viewers = ReturnType<typeof createViewers>;
