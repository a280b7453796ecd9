import type { Socket as TcpSocket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildTestUser } from '#server/testing/factories.ts';
import { openTab, type Tab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import type { NamespaceSocket } from './socket-types.ts';
import { createStallCheck } from './stalled-sockets.ts';

describe('the check of a socket', () => {
  const packetsFrom = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, index) => `packet ${first + index}`);

  /** Checks one socket again and again; the test sets what waits. */
  function buildSocketCheck() {
    const conn = { writeBuffer: [] as string[], transport: { socket: { bufferedAmount: 0 } } };
    const socket = { conn } as unknown as NamespaceSocket;
    const isStalled = createStallCheck();
    return (packets: string[], bytes = 0): boolean => {
      conn.writeBuffer = packets;
      conn.transport.socket.bufferedAmount = bytes;
      return isStalled(socket);
    };
  }

  it('finds one that takes nothing between two checks while much waits', () => {
    const [byPackets, byBytes] = [buildSocketCheck(), buildSocketCheck()];
    const packets = packetsFrom(1, 101);
    expect([byPackets(packets), byPackets([...packets, 'a new one'])]).toEqual([false, true]);
    expect([byBytes([], 2 ** 20 + 1), byBytes([], 2 ** 20 + 1)]).toEqual([false, true]);
  });

  it('leaves one that takes something between two checks, and one for which little waits', () => {
    const [reading, slow, quiet] = [buildSocketCheck(), buildSocketCheck(), buildSocketCheck()];
    expect([reading(packetsFrom(1, 101)), reading(packetsFrom(2, 150))]).toEqual([false, false]);
    expect([slow([], 2 ** 21), slow([], 2 ** 21 - 1)]).toEqual([false, false]);
    expect([quiet(packetsFrom(1, 100)), quiet(packetsFrom(1, 100))]).toEqual([false, false]);
  });

  it('finds one that is far behind at once, even if it reads', () => {
    expect(buildSocketCheck()(packetsFrom(1, 2001))).toBe(true);
    expect(buildSocketCheck()([], 2 ** 22 + 1)).toBe(true);
  });

  it('works for a connection that polls', () => {
    const socket = { conn: { writeBuffer: packetsFrom(1, 101), transport: {} } } as unknown as NamespaceSocket;
    const isStalled = createStallCheck();
    expect([isStalled(socket), isStalled(socket)]).toEqual([false, true]);
  });
});

/** The TCP connection under a tab. */
function tcpOf({ socket }: Tab): TcpSocket {
  return (socket.io.engine.transport as unknown as { ws: { _socket: TcpSocket } }).ws._socket;
}

it('closes a socket whose client does not read but answers pings, and keeps one that reads', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const test = await buildTestApp();
  const user = buildTestUser(test);
  const [stalled, reading] = [await openTab(test, user), await openTab(test, user)];
  tcpOf(stalled).pause();
  // More than the buffers of the systems between the two take.
  const typing = { user_id: user.id, sender_id: 'x', name: 'x'.repeat(64_000), typing: true };
  for (let count = 0; count < 300; count += 1) test.context.publish.toUser(user.id, 'typing', typing);
  await expect.poll(() => reading.payloadsOf('typing').length).toBe(300);
  stalled.socket.io.engine.transport.send([{ type: 'pong' }]);
  vi.advanceTimersByTime(20_000);
  await expect.poll(() => test.context.presence.counts().sockets).toBe(1);
  expect(reading.socket.connected).toBe(true);
  tcpOf(stalled).resume();
  await stalled.ended();
});
