import { expect, it, onTestFinished } from 'vitest';
import { startCuttableLine } from '#server/testing/network/cuttable-line.ts';
import { startRefusingHost } from '#server/testing/postgres/refusing-host.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { type PostgresAddress, parsePostgresUrl } from './address.ts';
import type { Transaction } from '../engine.ts';
import { connectHosts } from './connect.ts';
import { createPostgresEngine, createReads } from './engine.ts';

/** The database of administrators, of which these tests only read. */
const database = 'postgres';

async function connectOverLine() {
  const line = await startCuttableLine(testServer);
  const address = parsePostgresUrl(`${testServer}/${database}`) as PostgresAddress;
  const connections = connectHosts(
    // Nothing listens at the first host.
    {
      ...address,
      hosts: [
        { host: '127.0.0.1', port: 1 },
        { host: '127.0.0.1', port: line.port },
      ],
    },
    { max: 2 },
  );
  const reads = createReads(connections);
  const { write, snapshot } = createPostgresEngine(connections, reads);
  onTestFinished(async () => {
    await connections.end();
    await line.close();
  });
  const read = () => reads.read.value<number>('select 1');
  const change = (seconds = 0) => write((tx) => tx.value<number>('select 2 from pg_sleep(?)', seconds));
  return { line, read, change, write, snapshot };
}

const lost = { code: 'DATABASE_LOST' };

it('goes on with the host that takes writes while another one refuses', async () => {
  const refusing = await startRefusingHost();
  const address = parsePostgresUrl(`${testServer}/${database}`) as PostgresAddress;
  const connections = connectHosts({ ...address, hosts: [refusing, ...address.hosts] }, { max: 2 });
  const refused = connectHosts({ ...address, hosts: [refusing] }, { max: 2 });
  onTestFinished(async () => void (await Promise.all([connections.end(), refused.end()])));
  const reads = createReads(connections);
  const { write } = createPostgresEngine(connections, reads);
  expect([await reads.read.value('select 1'), await write((tx) => tx.value('select 2'))]).toEqual([1, 2]);
  await expect(refused.writer()).rejects.toMatchObject({ code: '28000' });
  await expect(refused.reader()).rejects.toMatchObject({ code: '28000' });
});

/** A database whose host calls itself a standby. */
function makeStandby(): string {
  const name = `pbb_standby_${process.pid}`;
  runSync('postgres', `create database ${name}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  runSync(name, 'create schema standby');
  runSync(name, "create function standby.pg_is_in_recovery() returns boolean language sql as 'select true'");
  runSync('postgres', `alter database ${name} set search_path = standby, pg_catalog`);
  return name;
}

it.each(['primary', 'standby'] as const)('waits for a silent host no longer than it must beside a %s', async (role) => {
  const line = await startCuttableLine(testServer);
  line.silence();
  const name = role === 'primary' ? database : makeStandby();
  const address = parsePostgresUrl(`${testServer}/${name}`) as PostgresAddress;
  const silent = { host: '127.0.0.1', port: line.port };
  const connections = connectHosts({ ...address, hosts: [silent, ...address.hosts] }, { max: 2 });
  onTestFinished(async () => {
    await connections.end();
    await line.close();
  });
  const reads = createReads(connections);
  const { write } = createPostgresEngine(connections, reads);
  const startedAt = performance.now();
  expect(await reads.read.value('select 1')).toBe(1);
  const written = write((tx) => tx.value('select 2'));
  await (role === 'primary' ? expect(written).resolves.toBe(2) : expect(written).rejects.toMatchObject(lost));
  expect(performance.now() - startedAt).toBeLessThan(role === 'primary' ? 1500 : 3000);
});

it('finds the host that answers, and goes on after a lost connection', async () => {
  const { line, read, change } = await connectOverLine();
  expect([await read(), await change()]).toEqual([1, 2]);
  line.cut();
  await expect(read()).rejects.toMatchObject(lost);
  await expect(change()).rejects.toMatchObject(lost);
  line.restore();
  expect([await read(), await change()]).toEqual([1, 2]);
});

it('gives up a change whose connection ends in the middle', async () => {
  const { line, change } = await connectOverLine();
  const running = change(30);
  const waiting = change();
  const outcome = Promise.allSettled([running, waiting]);
  setTimeout(line.cut, 200);
  const results = await outcome;
  expect(results[0]).toMatchObject({ status: 'rejected', reason: lost });
  line.restore();
  expect(await change()).toBe(2);
});

it('waits for no host that has fallen silent in the middle of a statement', async () => {
  const { line, read, change } = await connectOverLine();
  await read();
  const running = change(30);
  setTimeout(line.silence, 200);
  await expect(running).rejects.toMatchObject(lost);
  await expect(read()).rejects.toMatchObject(lost);
  line.restore();
  // The search that waited is not repeated at once.
  await expect.poll(() => read().catch(() => 0)).toBe(1);
  expect(await change()).toBe(2);
});

/** Hosts behind one line each, before the first use. */
async function connectToHosts(name: string, count: number) {
  const lines = await Promise.all(Array.from({ length: count }, () => startCuttableLine(testServer)));
  const address = parsePostgresUrl(`${testServer}/${name}`) as PostgresAddress;
  const hosts = lines.map(({ port }) => ({ host: '127.0.0.1', port }));
  const connections = connectHosts({ ...address, hosts }, { max: 2 });
  const { read } = createReads(connections);
  const { write } = createPostgresEngine(connections, createReads(connections));
  onTestFinished(async () => {
    await connections.end();
    await Promise.all(lines.map(({ close }) => close()));
  });
  /** @returns what a statement answers, or whether it is lost, and the time that it took */
  const timed = async (run: () => Promise<unknown>) => {
    const startedAt = performance.now();
    const answer = await run().catch((error: { code?: string }) => error.code);
    return { answer, ms: performance.now() - startedAt };
  };
  return {
    lines,
    primaryHost: connections.primaryHost,
    read: () => timed(() => read.value<number>('select 1')),
    change: () => timed(() => write((tx) => tx.value<number>('select 2'))),
  };
}

it('waits once for hosts of which none answers', async () => {
  const { lines, read, change } = await connectToHosts(database, 3);
  for (const line of lines) line.silence();
  const first = await read();
  expect(first).toMatchObject({ answer: 'DATABASE_LOST' });
  expect(first.ms).toBeLessThan(3500);
  for (const { answer, ms } of [await read(), await change(), await read()]) {
    expect(answer).toBe('DATABASE_LOST');
    expect(ms).toBeLessThan(200);
  }
});

it('waits once for a silent primary, reads from a standby meanwhile, and finds the primary again', async () => {
  const name = `pbb_promoted_${process.pid}`;
  runSync('postgres', `create database ${name}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  // Every host is a standby for who asks in this database.
  const say = (isStandby: boolean) =>
    runSync(
      name,
      `create or replace function fake.pg_is_in_recovery() returns boolean language sql as 'select ${isStandby}'`,
    );
  runSync(name, 'create schema fake');
  say(true);
  runSync('postgres', `alter database ${name} set search_path = fake, pg_catalog, public`);
  const { lines, read, change, primaryHost } = await connectToHosts(name, 3);
  lines[0]?.silence();
  const first = await read();
  expect(first).toMatchObject({ answer: 1 });
  expect(first.ms).toBeLessThan(3500);
  for (let statement = 0; statement < 20; statement += 1) {
    const { answer, ms } = await read();
    expect(answer).toBe(1);
    expect(ms).toBeLessThan(500);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const refused = await change();
  expect(refused.answer).toBe('DATABASE_LOST');
  expect(refused.ms).toBeLessThan(3500);
  expect(primaryHost()).toBeNull();
  say(false);
  await expect.poll(async () => (await change()).answer).toBe(2);
  expect(lines.slice(1).map(({ port }) => `127.0.0.1:${port}`)).toContain(primaryHost());
});

it('waits for no commit that does not end, and rejects what waits behind it', async () => {
  const { change, write } = await connectOverLine();
  const startedAt = performance.now();
  const slow = write(async (tx) => {
    // A trigger that runs at the commit takes the part of a stalled disk.
    await tx.run('create temp table slow (id int) on commit drop');
    await tx.run(
      'create function pg_temp.wait() returns trigger language plpgsql as $$ begin perform pg_sleep(30); return null; end $$',
    );
    await tx.run(
      'create constraint trigger wait after insert on slow deferrable initially deferred for each row execute function pg_temp.wait()',
    );
    await tx.run('insert into slow values (1)');
    // Longer than one batch takes further changes in.
    await tx.run('select pg_sleep(0.1)');
  });
  const results = await Promise.allSettled([slow, change()]);
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: lost });
  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(await change()).toBe(2);
});

it.each(['write', 'snapshot'] as const)('runs what a %s asks side by side one after the other', async (kind) => {
  const { [kind]: transact } = await connectOverLine();
  const numbers = [1, 2, 3, 4];
  const ask = (tx: Transaction) => Promise.all(numbers.map((number) => tx.value<number>('select ?::int', number)));
  expect(await transact(ask)).toEqual(numbers);
  const failing = transact((tx) => Promise.all([tx.value('select 1 / 0'), ask(tx), tx.all('select pg_sleep(0.05)')]));
  await expect(failing).rejects.toMatchObject({ message: 'division by zero' });
  expect(await transact(ask)).toEqual(numbers);
});
