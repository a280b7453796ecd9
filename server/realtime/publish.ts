import type { ServerToClientEvents } from '#shared/events.ts';
import { errorTexts } from '#shared/texts.ts';
import { createFeed, type FeedPacket } from './feed.ts';
import { type LinkFor, packetOf, packetWithLinks, writePackets } from './packets.ts';
import { alone, type Processes } from '#server/process/processes.ts';
import type { NamespaceSocket, RealtimeNamespace } from './socket-types.ts';

type Event = keyof ServerToClientEvents;
type Payload<E extends Event> = Parameters<ServerToClientEvents[E]>[0];

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
  const admins = createFeed(namespace, rooms.admins, rooms.adminsOfEachCount);
  const users = createFeed(namespace, rooms.users);
  const feedOf = ({ data }: NamespaceSocket) => (data.currentUser.isAdmin ? admins : users);

  function socketsOf(room: string): NamespaceSocket[] {
    const open = namespace();
    return [...(open?.adapter.rooms.get(room) ?? [])].flatMap((id) => open?.sockets.get(id) ?? []);
  }
  /** The sockets of one room have one role. */
  function hasAdmins(room: string): boolean {
    const open = namespace();
    const [first = ''] = open?.adapter.rooms.get(room) ?? [];
    return open?.sockets.get(first)?.data.currentUser.isAdmin === true;
  }

  /** To the few sockets of an account or a session, or to one; what waits in the feed for each of them comes first. */
  function write(room: string, packet: FeedPacket): void {
    for (const socket of socketsOf(room)) {
      feedOf(socket).catchUp(socket);
      const own = typeof packet === 'function' ? packet(socket.data.currentUser.sessionId) : packet;
      writePackets(socket, [own], own.frame);
    }
  }

  return {
    admins,
    users,
    hasAdmins,
    write,
    /** Called when a socket joins its rooms: from now on it gets what all of them get. */
    join: (socket: NamespaceSocket): void => feedOf(socket).join(socket),
    emit(room: string, event: string, payload: unknown): void {
      if (!namespace()?.adapter.rooms.has(room)) return;
      if (room === rooms.users) users.add(packetOf(event, payload));
      else write(room, packetOf(event, payload));
    },
    toUserAndAdmins(userId: string, packet: FeedPacket, exceptUserId?: string): void {
      const room = rooms.user(userId);
      admins.add(packet, 'all', exceptUserId);
      // An account that is an admin's gets it with all admins.
      if (userId !== exceptUserId && !hasAdmins(room)) write(room, packet);
    },
    endSockets(room: string): void {
      write(room, packetOf('session:ended', { message: errorTexts.sessionEnded }));
      namespace()?.in(room).disconnectSockets(true);
    },
    flush: (): void => {
      admins.flush();
      users.flush();
    },
  };
}

/** One event as another process hears of it: a step of `createEmitters` with its values. */
type Told =
  | { step: 'emit'; room: string; event: string; payload: unknown }
  | { step: 'feed'; event: string; payload: unknown }
  | { step: 'both'; userId: string; event: string; payload: unknown; exceptUserId?: string | undefined }
  | { step: 'end'; room: string };

/**
 * The only emitter. Services call it after their commit, never before (R-EVENT-2). Each event reaches the sockets of this
 * process at once, and those of the others by their bus.
 */
export function createPublish(namespace: () => RealtimeNamespace | null, processes: Processes = alone) {
  const here = createEmitters(namespace);
  const { admins, hasAdmins } = here;

  function perform(told: Told): void {
    if (told.step === 'emit') here.emit(told.room, told.event, told.payload);
    else if (told.step === 'feed') admins.add(packetOf(told.event, told.payload));
    else if (told.step === 'both')
      here.toUserAndAdmins(told.userId, packetOf(told.event, told.payload), told.exceptUserId);
    else here.endSockets(told.room);
  }
  function everywhere(told: Told): void {
    perform(told);
    processes.tell('publish', told);
  }
  processes.on('publish', perform);
  const emit = <E extends Event>(room: string, event: E, payload: Payload<E>): void =>
    everywhere({ step: 'emit', room, event, payload });

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
      toAdmins: <E extends Event>(event: E, payload: Payload<E>): void => admins.add(packetOf(event, payload)),
      toUser: <E extends Event>(userId: string, event: E, payload: Payload<E>): void =>
        here.emit(rooms.user(userId), event, payload),
      /** To the admins who get each unread count, or to those who get batches. */
      toAdminsOfEachCount: (payload: Payload<'unread'>): void => admins.add(packetOf('unread', payload), 'each'),
      toAdminsOfBatches: (payload: Payload<'unread:changes'>): void =>
        admins.add(packetOf('unread:changes', payload), 'batches'),
      hasAdminsOfEachCount: (): boolean => hasAdmins(rooms.adminsOfEachCount),
      /** To one user and every admin, each session with its own links. `build`: the payload with links to its files. */
      toUserAndAdminsWithLinks: <E extends Event>(
        userId: string,
        event: E,
        build: (linkFor: LinkFor) => Payload<E>,
        linksFor: (sessionId: string) => LinkFor,
      ): void => here.toUserAndAdmins(userId, packetWithLinks(event, build, linksFor)),
    },
    /** To one user and every admin, each socket once. `exceptUserId`: not to that account's sockets. */
    toUserAndAdmins<E extends Event>(userId: string, event: E, payload: Payload<E>, exceptUserId?: string): void {
      everywhere({ step: 'both', userId, event, payload, exceptUserId });
    },
    /** To one socket of this process, by its id. */
    toSocket: <E extends Event>(socketId: string, event: E, payload: Payload<E>): void =>
      here.emit(socketId, event, payload),
    /** The same with an event that is serialized already. */
    packetToSocket: here.write,
    /** The session no longer counts: its sockets get `session:ended` and are closed. */
    endSession: (sessionId: string): void => everywhere({ step: 'end', room: rooms.session(sessionId) }),
    /** The same for every session of an account that was deactivated or deleted, or lost its role. */
    endUser: (userId: string): void => everywhere({ step: 'end', room: rooms.user(userId) }),
    /** Called when a socket joins its rooms. */
    join: here.join,
    /** Called before the sockets close: what waits for them leaves. */
    flush: here.flush,
  };
}
export type Publish = ReturnType<typeof createPublish>;
