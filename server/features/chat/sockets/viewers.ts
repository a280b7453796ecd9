import type { CurrentUser } from '#server/http/session-guards.ts';
import type { Processes } from '#server/process/processes.ts';

type ViewingSocket = { currentUser: CurrentUser; viewedUserIds: readonly string[]; isVisible: boolean };

type Told =
  | { step: 'enter'; socketId: string; currentUser: CurrentUser }
  | { step: 'leave'; socketId: string }
  | { step: 'view'; socketId: string; currentUser: CurrentUser; userIds: readonly string[]; isVisible: boolean };

/** The conversations that each socket has open; in memory, of this process and, as they tell, of the others. */
export function createViewers(processes: Pick<Processes, 'tell' | 'on' | 'onJoined' | 'onLeft'>) {
  const viewers = createOpenPages();
  /** The sockets of each other process. */
  const elsewhere = new Map<string, Set<string>>();
  const here = new Set<string>();

  let changedElsewhere: (userIds: readonly string[]) => void = () => {};
  const tell = (told: Told): void => processes.tell('viewers', told);
  /** @returns the conversations that it had open before */
  function perform(told: Told): readonly string[] {
    if (told.step === 'leave') return viewers.leave(told.socketId).viewedUserIds;
    if (told.step === 'view') return viewers.setViewing(told.socketId, told.currentUser, told.userIds, told.isVisible);
    viewers.enter(told.socketId, told.currentUser);
    return [];
  }
  /** @returns the conversations whose viewers may have changed */
  function follow(told: Told, from: string): readonly string[] {
    const known = elsewhere.get(from) ?? new Set();
    elsewhere.set(from, known);
    if (told.step === 'leave') known.delete(told.socketId);
    else if (!known.has(told.socketId)) {
      known.add(told.socketId);
      if (told.step === 'view') viewers.enter(told.socketId, told.currentUser);
    }
    return [...perform(told), ...(told.step === 'view' ? told.userIds : [])];
  }
  processes.on('viewers', (told: Told, from) => changedElsewhere(follow(told, from)));
  processes.on('viewers of all', (all: readonly Told[], from) => {
    const open = new Set(all.map(({ socketId }) => socketId));
    const closed = [...(elsewhere.get(from) ?? [])].filter((socketId) => !open.has(socketId));
    const left = closed.map((socketId) => ({ step: 'leave', socketId }) as const);
    changedElsewhere([...left, ...all].flatMap((told) => follow(told, from)));
  });
  processes.onJoined(() => processes.tell('viewers of all', viewers.list(here)));
  processes.onLeft((from) => {
    const left = [...(elsewhere.get(from) ?? [])].flatMap((socketId) => viewers.leave(socketId).viewedUserIds);
    elsewhere.delete(from);
    changedElsewhere(left);
  });

  return {
    ...viewers,
    /** Calls with conversations whose viewers at another process have changed. */
    onChangedElsewhere(listener: typeof changedElsewhere): void {
      changedElsewhere = listener;
    },
    enter(socketId: string, currentUser: CurrentUser): void {
      here.add(socketId);
      viewers.enter(socketId, currentUser);
      tell({ step: 'enter', socketId, currentUser });
    },
    leave(socketId: string): ReturnType<typeof viewers.leave> {
      here.delete(socketId);
      tell({ step: 'leave', socketId });
      return viewers.leave(socketId);
    },
    setViewing(
      socketId: string,
      currentUser: CurrentUser,
      userIds: readonly string[],
      isVisible: boolean,
    ): readonly string[] {
      // A socket that has left meanwhile: the other processes would keep it for ever.
      if (!here.has(socketId)) return [];
      tell({ step: 'view', socketId, currentUser, userIds, isVisible });
      return viewers.setViewing(socketId, currentUser, userIds, isVisible);
    },
  };
}

function createOpenPages() {
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

    /** All that another process must hear to know these sockets. */
    list: (socketIds: Iterable<string>): Told[] =>
      [...socketIds].flatMap((socketId) => {
        const socket = socketsById.get(socketId);
        if (!socket) return [];
        const { currentUser, viewedUserIds: userIds, isVisible } = socket;
        return [{ step: 'view' as const, socketId, currentUser, userIds, isVisible }];
      }),

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
