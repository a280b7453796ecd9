import type { ServerToClientEvents } from '#shared/events.ts';
import { errorTexts } from '#shared/texts.ts';
import { createFeed, packetOf, writePackets } from './feed.ts';
import { alone, type Processes } from '#server/process/processes.ts';
import type { RealtimeNamespace } from './socket-types.ts';

type Event = keyof ServerToClientEvents;
type Payload<E extends Event> = Parameters<ServerToClientEvents[E]>[0];
/** Socket.IO's own types cannot follow an event's name through a generic; `emit` below checks it instead. */
type Target = { emit: (event: string, payload: unknown) => boolean };

/** Rooms are identities; only the server puts a socket into one. */
export const rooms = {
  user: (id: string): string => `user:${id}`,
  session: (id: string): string => `session:${id}`,
  admins: 'admins',
  /** Those admins who do not ask for `unread:changes` and get each `unread` (R-EVENT-11). */
  adminsOfEachCount: 'admins of each count',
  users: 'users',
};

/** Events to the sockets of this process alone. */
function createEmitters(namespace: () => RealtimeNamespace | null) {
  const feed = createFeed(namespace, rooms.admins, rooms.adminsOfEachCount);

  /** The sockets of one room have one role. */
  function hasAdmins(room: string): boolean {
    const open = namespace();
    const [first = ''] = open?.adapter.rooms.get(room) ?? [];
    return open?.sockets.get(first)?.data.currentUser.isAdmin === true;
  }

  /** To all but the feed of the admins; what waits there comes first. */
  function emit(room: string | string[], event: string, payload: unknown, except?: string): void {
    if ([room].flat().some(hasAdmins)) feed.flush();
    const broadcast = namespace()?.to(room);
    const target = (except === undefined ? broadcast : broadcast?.except(except)) as Target | undefined;
    target?.emit(event, payload);
  }

  return {
    feed,
    hasAdmins,
    emit,
    toUserAndAdmins(userId: string, event: string, payload: unknown): void {
      const room = rooms.user(userId);
      const packet = packetOf(event, payload);
      feed.add(packet, 'all');
      const open = namespace();
      const ids = open?.adapter.rooms.get(room);
      // An account that is an admin's gets it with all admins.
      if (open && ids && !hasAdmins(room)) writePackets(open, ids, [packet]);
    },
    endSockets(room: string): void {
      emit(room, 'session:ended', { message: errorTexts.sessionEnded });
      namespace()?.in(room).disconnectSockets(true);
    },
  };
}

/** One event as another process hears of it: a step of `createEmitters` with its values. */
type Told =
  | { step: 'emit'; room: string | string[]; event: string; payload: unknown; except?: string | undefined }
  | { step: 'feed'; event: string; payload: unknown }
  | { step: 'both'; userId: string; event: string; payload: unknown }
  | { step: 'end'; room: string };

/**
 * The only emitter. Services call it after their commit, never before (R-EVENT-2). Each event reaches the sockets of this
 * process at once, and those of the others by their bus.
 */
export function createPublish(namespace: () => RealtimeNamespace | null, processes: Processes = alone) {
  const here = createEmitters(namespace);
  const { feed, hasAdmins } = here;

  function perform(told: Told): void {
    if (told.step === 'emit') here.emit(told.room, told.event, told.payload, told.except);
    else if (told.step === 'feed') feed.add(packetOf(told.event, told.payload), 'all');
    else if (told.step === 'both') here.toUserAndAdmins(told.userId, told.event, told.payload);
    else here.endSockets(told.room);
  }
  function everywhere(told: Told): void {
    perform(told);
    processes.tell('publish', told);
  }
  processes.on('publish', perform);
  const emit = <E extends Event>(room: string | string[], event: E, payload: Payload<E>, except?: string): void =>
    everywhere({ step: 'emit', room, event, payload, except });

  return {
    /** To all sockets of one account. */
    toUser: <E extends Event>(userId: string, event: E, payload: Payload<E>): void =>
      emit(rooms.user(userId), event, payload),
    toAdmins: <E extends Event>(event: E, payload: Payload<E>): void => everywhere({ step: 'feed', event, payload }),
    toUsers: <E extends Event>(event: E, payload: Payload<E>): void => emit(rooms.users, event, payload),
    /**
     * For what each process finds out by itself, also what it reads as it is now: to its own sockets only. Two processes that
     * published what they read to all could let the older one arrive last.
     */
    here: {
      toUsers: <E extends Event>(event: E, payload: Payload<E>): void => here.emit(rooms.users, event, payload),
      toAdmins: <E extends Event>(event: E, payload: Payload<E>): void => feed.add(packetOf(event, payload), 'all'),
      toUser: <E extends Event>(userId: string, event: E, payload: Payload<E>): void =>
        here.emit(rooms.user(userId), event, payload),
      /** To the admins who get each unread count, or to those who get batches. */
      toAdminsOfEachCount: (payload: Payload<'unread'>): void => feed.add(packetOf('unread', payload), 'each'),
      toAdminsOfBatches: (payload: Payload<'unread:changes'>): void =>
        feed.add(packetOf('unread:changes', payload), 'batches'),
      hasAdminsOfEachCount: (): boolean => hasAdmins(rooms.adminsOfEachCount),
      /** To one user and every admin, each session with its own payload. */
      toSessionsOfUserAndAdmins<E extends Event>(
        userId: string,
        event: E,
        payloadFor: (sessionId: string) => Payload<E>,
      ): void {
        const open = namespace();
        const sessionIds = new Set<string>();
        for (const room of [rooms.user(userId), rooms.admins]) {
          for (const socketId of open?.adapter.rooms.get(room) ?? []) {
            const sessionId = open?.sockets.get(socketId)?.data.currentUser.sessionId;
            if (sessionId !== undefined) sessionIds.add(sessionId);
          }
        }
        for (const sessionId of sessionIds) here.emit(rooms.session(sessionId), event, payloadFor(sessionId));
      },
    },
    /** To one user and every admin, each socket once. `exceptUserId`: not to that account's sockets. */
    toUserAndAdmins<E extends Event>(userId: string, event: E, payload: Payload<E>, exceptUserId?: string): void {
      if (exceptUserId === undefined) everywhere({ step: 'both', userId, event, payload });
      else emit([rooms.user(userId), rooms.admins], event, payload, rooms.user(exceptUserId));
    },
    /** To one socket of this process, by its id. */
    toSocket: <E extends Event>(socketId: string, event: E, payload: Payload<E>): void =>
      here.emit(socketId, event, payload),
    /** The session no longer counts: its sockets get `session:ended` and are closed. */
    endSession: (sessionId: string): void => everywhere({ step: 'end', room: rooms.session(sessionId) }),
    /** The same for every session of an account that was deactivated or deleted, or lost its role. */
    endUser: (userId: string): void => everywhere({ step: 'end', room: rooms.user(userId) }),
    /** Called before the sockets close: what waits for the admins leaves. */
    flush: feed.flush,
  };
}
export type Publish = ReturnType<typeof createPublish>;
