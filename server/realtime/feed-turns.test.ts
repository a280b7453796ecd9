import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPublish, rooms } from './publish.ts';
import type { NamespaceSocket, RealtimeNamespace } from './socket-types.ts';

/** A connection that keeps what is written to it, and what it should get. */
type TestSocket = {
  id: string;
  userId: string;
  sessionId: string;
  isAdmin: boolean;
  received: string[];
  expected: string[];
};

/** Thousands of sockets without a network. */
function openNamespace() {
  const members = new Map<string, Set<string>>();
  const sockets = new Map<string, NamespaceSocket>();
  const open = new Map<string, TestSocket>();
  const counts = { all: 0, inTurn: 0 };
  const namespace = {
    sockets,
    adapter: { rooms: members },
    in: (room: string) => ({ disconnectSockets: () => [...(members.get(room) ?? [])].forEach(disconnect) }),
  };
  const publish = createPublish(() => namespace as unknown as RealtimeNamespace);

  function connect(userId: string): TestSocket {
    const isAdmin = userId.startsWith('petugas');
    counts.all += 1;
    const sessionId = `session ${counts.all}`;
    const test: TestSocket = { id: `socket ${counts.all}`, userId, sessionId, isAdmin, received: [], expected: [] };
    const write = (text: string): void => {
      counts.inTurn += 1;
      const [event, payload] = JSON.parse(text.slice(text.indexOf('['))) as [string, { user_id: string }];
      test.received.push(event === 'session:ended' ? event : payload.user_id);
    };
    const conn = { transport: { name: 'polling' }, write };
    const socket = { id: test.id, data: { currentUser: { id: userId, sessionId, isAdmin } }, conn };
    sockets.set(test.id, socket as unknown as NamespaceSocket);
    publish.join(socket as unknown as NamespaceSocket);
    const all = isAdmin ? rooms.admins : rooms.users;
    for (const room of [test.id, rooms.user(userId), rooms.session(sessionId), all])
      members.set(room, (members.get(room) ?? new Set()).add(test.id));
    open.set(test.id, test);
    return test;
  }
  function disconnect(id: string): void {
    sockets.delete(id);
    open.delete(id);
    for (const [room, ids] of members) if (ids.delete(id) && ids.size === 0) members.delete(room);
  }
  return { publish, connect, disconnect, open, counts };
}

type Office = ReturnType<typeof openNamespace>;

const noteOf = (name: string): ['note:changed', { user_id: string }] => ['note:changed', { user_id: name }];

const linkOf =
  (sessionId: string) =>
  (file: string): string =>
    `${file} for ${sessionId}`;
const noteWith = (file: string) => (linkFor: (file: string) => string) => ({ user_id: linkFor(file) });

/** @returns the largest number of writes in one turn of the event loop until every socket has what it should get */
async function longestTurn({ open, counts }: Office): Promise<number> {
  let longest = counts.inTurn;
  while ([...open.values()].some(({ received, expected }) => received.length < expected.length)) {
    counts.inTurn = 0;
    await nextTurn();
    longest = Math.max(longest, counts.inTurn);
  }
  return longest;
}

describe('an event to all users', () => {
  it('gives the event loop back after 200 of 1,000 sockets, and reaches each once', async () => {
    const office = openNamespace();
    const all = Array.from({ length: 1000 }, (_, index) => office.connect(`warga ${index}`));
    office.publish.here.toUsers(...noteOf('buka'));
    for (const { expected } of all) expected.push('buka');
    expect(await longestTurn(office)).toBe(200);
    await nextTurn();
    for (const { received } of all) expect(received).toEqual(['buka']);
  });

  it('comes before a later event to one of them alone, and again to nobody', async () => {
    const office = openNamespace();
    const all = Array.from({ length: 500 }, (_, index) => office.connect(`warga ${index}`));
    office.publish.here.toUsers(...noteOf('buka'));
    office.publish.toUser('warga 499', ...noteOf('antrean'));
    expect(all[499]?.received).toEqual(['buka', 'antrean']);
    office.publish.here.toUsers(...noteOf('tutup'));
    for (const { expected, userId } of all)
      expected.push('buka', ...(userId === 'warga 499' ? ['antrean'] : []), 'tutup');
    await longestTurn(office);
    await nextTurn();
    for (const { received, expected } of all) expect(received).toEqual(expected);
  });

  it('reaches neither a socket that joins after it nor one whose session ended before', async () => {
    const office = openNamespace();
    const all = Array.from({ length: 500 }, (_, index) => office.connect(`warga ${index}`));
    const last = all[499] ?? office.connect('warga');
    office.publish.here.toUsers(...noteOf('buka'));
    await nextTurn();
    const late = office.connect('warga 500');
    office.publish.endSession(last.sessionId);
    office.publish.here.toUsers(...noteOf('tutup'));
    late.expected.push('tutup');
    await longestTurn(office);
    // An event of before comes first.
    expect(last.received).toEqual(['buka', 'session:ended']);
    expect(late.received).toEqual(['tutup']);
  });

  it('comes in the order of a program that writes all sockets at once, whoever joins and leaves meanwhile', async () => {
    const anyStep = fc.record({ action: fc.nat(9), socket: fc.nat(), isTurnOver: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 50, maxLength: 300, size: 'max' }), async (steps) => {
        const office = openNamespace();
        for (let count = 0; count < 900; count += 1)
          office.connect(`${count % 2 ? 'petugas' : 'warga'} ${count % 150}`);
        const gone: TestSocket[] = [];
        for (const [index, { action, socket, isTurnOver }] of steps.entries()) {
          const all = [...office.open.values()];
          const chosen = all[socket % all.length];
          if (chosen) gone.push(...act(office, action, chosen, `${index}`));
          if (isTurnOver) await nextTurn();
        }
        await longestTurn(office);
        await nextTurn();
        for (const { received, expected } of [...office.open.values(), ...gone]) expect(received).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });
});

describe('an event with links', () => {
  it('gives the event loop back after 50 of 300 admins, each of whom gets the own links, in order', async () => {
    const office = openNamespace();
    const admins = Array.from({ length: 300 }, (_, index) => office.connect(`petugas ${index}`));
    const user = office.connect('warga');
    office.publish.toUserAndAdmins('warga', ...noteOf('pertama'));
    office.publish.here.toUserAndAdminsWithLinks('warga', 'note:changed', noteWith('foto'), linkOf);
    office.publish.toUserAndAdmins('warga', ...noteOf('terakhir'));
    for (const { expected, sessionId } of [...admins, user])
      expected.push('pertama', linkOf(sessionId)('foto'), 'terakhir');
    // Each of the 50 gets three packets, because a test connection polls.
    expect(await longestTurn(office)).toBe(150);
    for (const { received, expected } of [...admins, user]) expect(received).toEqual(expected);
  });
});

/** Does one thing, and notes who should get it. @returns the sockets that it closed with their session */
function act(office: Office, action: number, { id, userId, sessionId }: TestSocket, name: string): TestSocket[] {
  const { publish, open } = office;
  const expectAt = (gets: (socket: TestSocket) => boolean, what = name): TestSocket[] => {
    const getting = [...open.values()].filter(gets);
    for (const { expected } of getting) expected.push(what);
    return getting;
  };
  const note = noteOf(name);
  if (action === 0) {
    expectAt(({ isAdmin }) => !isAdmin);
    publish.toUsers(...note);
  } else if (action === 1) {
    expectAt(({ isAdmin }) => isAdmin);
    publish.toAdmins(...note);
  } else if (action === 2) {
    expectAt((socket) => socket.isAdmin || socket.userId === userId);
    publish.toUserAndAdmins(userId, ...note);
  } else if (action === 3) {
    expectAt((socket) => socket.isAdmin && socket.userId !== userId);
    publish.toUserAndAdmins(userId, ...note, userId);
  } else if (action === 4) {
    expectAt((socket) => socket.userId === userId);
    publish.toUser(userId, ...note);
  } else if (action === 5) {
    expectAt((socket) => socket.id === id);
    publish.toSocket(id, ...note);
  } else if (action === 6) {
    office.connect(userId);
  } else if (action === 7) {
    office.disconnect(id);
  } else if (action === 8) {
    const getting = [...open.values()].filter((socket) => socket.isAdmin || socket.userId === userId);
    for (const socket of getting) socket.expected.push(linkOf(socket.sessionId)(name));
    publish.here.toUserAndAdminsWithLinks(userId, 'note:changed', noteWith(name), linkOf);
  } else {
    const ended = expectAt((socket) => socket.sessionId === sessionId, 'session:ended');
    publish.endSession(sessionId);
    return ended;
  }
  return [];
}
