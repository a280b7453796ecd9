import type { CurrentUser } from '#server/http/session-guards.ts';
import { alone, type Processes } from '#server/process/processes.ts';

/** The sockets of each account at one process, by role. */
type Elsewhere = { users: Map<string, number>; admins: Map<string, number> };
type Told = { userId: string; isAdmin: boolean; count: number };
/** `adminsOnline`: null while that is as before. */
export type PresenceChange = { users: { userId: string; online: boolean }[]; adminsOnline: boolean | null };
type ToldAll = { users: [string, number][]; admins: [string, number][] };

/**
 * Knows which accounts are connected; in memory, for this process and, as they tell, for the others.
 * @param monotonicNow milliseconds that only run forward
 */
export function createPresence(monotonicNow: () => number, processes: Processes = alone) {
  const elsewhere = new Map<string, Elsewhere>();
  const startedAt = monotonicNow();
  /** The time at which each admin's last socket left, on that clock. */
  const adminsLeftAt = new Map<string, number>();
  const usersBySocketId = new Map<string, CurrentUser>();
  /** The number of sockets of each account, by role; counted, because every connect asks. */
  const userSocketCounts = new Map<string, number>();
  const adminSocketCounts = new Map<string, number>();

  const socketCountsOf = ({ isAdmin }: CurrentUser): Map<string, number> =>
    isAdmin ? adminSocketCounts : userSocketCounts;

  const all = (role: keyof Elsewhere): Map<string, number>[] => [
    role === 'admins' ? adminSocketCounts : userSocketCounts,
    ...Array.from(elsewhere.values(), (other) => other[role]),
  ];
  function idsOf(role: keyof Elsewhere): Set<string> {
    const ids = new Set<string>();
    for (const counts of all(role)) for (const id of counts.keys()) ids.add(id);
    return ids;
  }
  const isAdminOnline = (): boolean => all('admins').some(({ size }) => size > 0);
  function has(role: keyof Elsewhere, id: string): boolean {
    if ((role === 'admins' ? adminSocketCounts : userSocketCounts).has(id)) return true;
    for (const other of elsewhere.values()) if (other[role].has(id)) return true;
    return false;
  }
  /** Kept until a user comes or goes: each admin who connects asks. */
  let onlineUserIds: readonly string[] | null = null;
  const roleOf = ({ isAdmin }: { isAdmin: boolean }): keyof Elsewhere => (isAdmin ? 'admins' : 'users');

  let changedElsewhere: (change: PresenceChange) => void = () => {};

  /** Changes what is known of other processes, and reports the accounts that came online or went offline by it. */
  function changeElsewhere(accounts: readonly { userId: string; isAdmin: boolean }[], change: () => void): void {
    const before = accounts.map(({ userId, isAdmin }) => has(roleOf({ isAdmin }), userId));
    const hadAdmins = isAdminOnline();
    change();
    onlineUserIds = null;
    const users = accounts.flatMap(({ userId, isAdmin }, index) => {
      const online = has(roleOf({ isAdmin }), userId);
      if (isAdmin && online) adminsLeftAt.delete(userId);
      if (isAdmin && !online && before[index] === true) adminsLeftAt.set(userId, monotonicNow());
      return isAdmin || online === before[index] ? [] : [{ userId, online }];
    });
    const adminsOnline = isAdminOnline();
    changedElsewhere({ users, adminsOnline: adminsOnline === hadAdmins ? null : adminsOnline });
  }

  function note(from: string, { userId, isAdmin, count }: Told): void {
    const other = elsewhere.get(from) ?? { users: new Map(), admins: new Map() };
    elsewhere.set(from, other);
    const counts = other[roleOf({ isAdmin })];
    if (count > 0) counts.set(userId, count);
    else counts.delete(userId);
  }
  const tell = ({ id, isAdmin }: CurrentUser, count: number): void =>
    processes.tell('presence', { userId: id, isAdmin, count } satisfies Told);
  const listAccounts = ({ users, admins }: Elsewhere): { userId: string; isAdmin: boolean }[] => [
    ...Array.from(users.keys(), (userId) => ({ userId, isAdmin: false })),
    ...Array.from(admins.keys(), (userId) => ({ userId, isAdmin: true })),
  ];
  function replace(from: string, next: Elsewhere): void {
    const before = elsewhere.get(from) ?? { users: new Map(), admins: new Map() };
    changeElsewhere([...listAccounts(before), ...listAccounts(next)], () => elsewhere.set(from, next));
  }
  processes.on('presence', (told: Told, from) => changeElsewhere([told], () => note(from, told)));
  processes.on('presence of all', ({ users, admins }: ToldAll, from) =>
    replace(from, { users: new Map(users), admins: new Map(admins) }),
  );
  processes.onLeft((from) => {
    replace(from, { users: new Map(), admins: new Map() });
    elsewhere.delete(from);
  });
  processes.onJoined(() =>
    processes.tell('presence of all', {
      users: [...userSocketCounts],
      admins: [...adminSocketCounts],
    } satisfies ToldAll),
  );

  return {
    isOnline: (userId: string): boolean => has('users', userId) || has('admins', userId),
    /** The number of open sockets of an account at this process. */
    socketsOf: (user: CurrentUser): number => socketCountsOf(user).get(user.id) ?? 0,
    /** Since when an admin has no socket, on the monotonic clock, at the earliest since the start; null while connected. */
    absentSince: (adminId: string): number | null =>
      has('admins', adminId) ? null : (adminsLeftAt.get(adminId) ?? startedAt),
    isAdminOnline,
    /** The listener is called when an account comes online or goes offline by a change at another process. */
    onChangedElsewhere(listener: typeof changedElsewhere): void {
      changedElsewhere = listener;
    },
    /**
     * Connected accounts by role, and all sockets. The names are those of the API (R-SYS-15) and stay: `residents` are users,
     * `administrators` are admins.
     */
    counts: () => ({
      residents: idsOf('users').size,
      administrators: idsOf('admins').size,
      sockets: [...all('users'), ...all('admins')]
        .flatMap((counts) => Array.from(counts.values()))
        .reduce((sum, count) => sum + count, 0),
    }),
    /** The same array until a user comes or goes. */
    onlineUserIds: (): readonly string[] => (onlineUserIds ??= [...idsOf('users')]),
    /** The users who are connected at this process. */
    userIdsHere: (): string[] => [...userSocketCounts.keys()],
    /** @returns whether it is the account's first socket anywhere */
    enter(socketId: string, user: CurrentUser): boolean {
      const isFirst = !has(roleOf(user), user.id);
      if (isFirst && !user.isAdmin) onlineUserIds = null;
      usersBySocketId.set(socketId, user);
      const counts = socketCountsOf(user);
      const count = (counts.get(user.id) ?? 0) + 1;
      counts.set(user.id, count);
      if (user.isAdmin) adminsLeftAt.delete(user.id);
      tell(user, count);
      return isFirst;
    },

    /** @returns whether it was the account's last socket anywhere */
    leave(socketId: string): boolean {
      const user = usersBySocketId.get(socketId);
      if (!user) return false;
      usersBySocketId.delete(socketId);
      const counts = socketCountsOf(user);
      const count = (counts.get(user.id) ?? 0) - 1;
      if (count > 0) counts.set(user.id, count);
      else counts.delete(user.id);
      tell(user, count);
      const isLast = !has(roleOf(user), user.id);
      if (isLast && !user.isAdmin) onlineUserIds = null;
      if (isLast && user.isAdmin) adminsLeftAt.set(user.id, monotonicNow());
      return isLast;
    },
  };
}
export type Presence = ReturnType<typeof createPresence>;
