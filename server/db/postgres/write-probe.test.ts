import { expect, it, onTestFinished } from 'vitest';
import { holdServerSettings } from '#server/testing/postgres/server-settings.ts';
import { runSync, testServer } from '#server/testing/postgres/test-server.ts';
import { type PostgresAddress, parsePostgresUrl } from './address.ts';
import { connectHosts } from './connect.ts';
import { openPostgres } from './open.ts';

const name = `pbb_probe_${process.pid}`;

/** Commits in this database wait for the standbys of the test server; those of other tests do not. */
function openWaiting() {
  onTestFinished(holdServerSettings());
  runSync('postgres', `create database ${name}`);
  onTestFinished(() => void runSync('postgres', `drop database ${name} with (force)`));
  runSync('postgres', `alter database ${name} set synchronous_commit = on`);
  const connections = connectHosts(parsePostgresUrl(`${testServer}/${name}`) as PostgresAddress, { max: 3 });
  onTestFinished(connections.end);
  return openPostgres(connections);
}

async function requireStandby(standby: string | null): Promise<void> {
  runSync(
    'postgres',
    standby === null
      ? 'alter system reset synchronous_standby_names'
      : `alter system set synchronous_standby_names = '${standby}'`,
  );
  runSync('postgres', 'select pg_reload_conf()');
  const required = (): unknown => runSync('postgres', 'show synchronous_standby_names', []).rows;
  await expect.poll(required).toEqual([[standby ?? '']]);
}

const waitingCommits = (): unknown =>
  runSync(
    'postgres',
    `select count(*) as waiting from pg_stat_activity where datname = '${name}' and wait_event = 'SyncRep'`,
  ).rows;

it('says that no change can be stored while the primary waits for a lost standby', async () => {
  const { takesWrites, orm } = openWaiting();
  expect(await takesWrites()).toBe(true);
  onTestFinished(() => requireStandby(null));
  await requireStandby('nobody');
  await expect.poll(takesWrites).toBe(false);
  // However often it is asked, one commit waits.
  const startedAt = performance.now();
  expect(await Promise.all([takesWrites(), takesWrites(), takesWrites()])).toEqual([false, false, false]);
  expect(await orm.value<number>('select 1')).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(2000);
  expect(waitingCommits()).toEqual([{ waiting: 1 }]);
  await requireStandby(null);
  await expect.poll(takesWrites).toBe(true);
  expect(waitingCommits()).toEqual([{ waiting: 0 }]);
});

it('asks nothing within two seconds of a change', async () => {
  const { takesWrites, createEngine } = openWaiting();
  const { write } = createEngine();
  onTestFinished(() => requireStandby(null));
  expect(await write((tx) => tx.value<number>('select 1'))).toBe(1);
  await requireStandby('nobody');
  expect(await takesWrites()).toBe(true);
  expect(waitingCommits()).toEqual([{ waiting: 0 }]);
});
