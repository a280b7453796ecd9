import { expect, it, onTestFinished } from 'vitest';
import { startCuttableLine } from '#server/testing/network/cuttable-line.ts';
import { testServer } from '#server/testing/postgres/test-server.ts';
import { type PostgresAddress, parsePostgresUrl } from './address.ts';
import { openBus } from './bus.ts';

/** The database of administrators; a bus stores nothing. */
const address = parsePostgresUrl(`${testServer}/postgres`) as PostgresAddress;

async function openListeningBus(to: PostgresAddress) {
  const received: string[] = [];
  let missed = 0;
  const bus = await openBus(to, {
    received: (text) => void received.push(text),
    missed: () => void (missed += 1),
    leads: () => {},
  });
  onTestFinished(bus.close);
  return { ...bus, received, missed: () => missed };
}

it('waits for no host that has fallen silent: another process leads, and texts arrive again', async () => {
  const line = await startCuttableLine(testServer);
  onTestFinished(line.close);
  const one = await openListeningBus({ ...address, hosts: [{ host: '127.0.0.1', port: line.port }] });
  const other = await openListeningBus(address);
  await expect.poll(() => [one, other].map(({ isLeader }) => isLeader())).toEqual([true, false]);
  line.silence();
  one.send('lost or not');
  await expect.poll(() => [one, other].map(({ isLeader }) => isLeader())).toEqual([false, true]);
  line.restore();
  await expect.poll(one.missed).toBe(1);
  one.send('from one');
  other.send('from the other');
  await expect.poll(() => other.received).toContain('from one');
  await expect.poll(() => one.received).toContain('from the other');
  expect(other.missed()).toBe(1);
});
