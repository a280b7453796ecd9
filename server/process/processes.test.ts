import { v7 as newId } from 'uuid';
import { expect, it } from 'vitest';
import { buildAdmin, buildTestUser } from '#server/testing/factories.ts';
import { openTab } from '#server/testing/sockets.ts';
import { buildTestApp } from '#server/testing/test-app.ts';
import { watchFilesFolder } from './files-folder.ts';
import { createMonotonicClock } from './monotonic-clock.ts';
import { joinProcesses, type OpenBus } from './processes.ts';
import { createSharedWork } from './shared-work.ts';

/** A line on which texts arrive at once. */
function createLine() {
  const listeners = new Set<Parameters<OpenBus>[0]>();
  let isAway = false;
  const open: OpenBus = async (listener) => {
    listeners.add(listener);
    return {
      send: (text) => {
        if (!isAway) for (const other of listeners) if (other !== listener) other.received(text);
      },
      isLeader: () => [...listeners][0] === listener,
      close: async () => void listeners.delete(listener),
    };
  };
  return {
    join: () =>
      joinProcesses(open, createMonotonicClock(), (error) => {
        throw error;
      }),
    /** Nothing arrives while this runs. */
    whileAway: (run: () => void): void => {
      isAway = true;
      run();
      isAway = false;
      for (const { missed } of listeners) missed();
    },
  };
}

it('tells a process what the others know when its listeners are there, not before', async () => {
  const { join } = createLine();
  const one = await join();
  one.onJoined(() => one.tell('state', 'of one'));
  one.start();
  const other = await join();
  expect(one.others()).toBe(0);
  one.tell('change', 'before');
  const heard: unknown[] = [];
  for (const topic of ['state', 'change']) other.on(topic, (data) => void heard.push(data));
  other.onJoined(() => other.tell('state', 'of the other'));
  one.tell('change', 'between');
  one.on('state', (data) => void heard.push(data));
  other.start();
  expect(heard).toEqual(['between', 'of one', 'of the other']);
  await Promise.all([one.close(), other.close()]);
});

it('knows which computers have lost the folder of files, until they have it again or end', async () => {
  const { join, whileAway } = createLine();
  const there = [true, true, true];
  const all = [await join(), await join(), await join()];
  const log = { error: () => undefined, info: () => undefined };
  const folders = all.map((process, index) =>
    watchFilesFolder(process, async () => there[index] ?? true, log, index === 0 ? 'kota-1' : 'kota-2'),
  );
  for (const process of all) process.start();
  const lookEverywhere = async (): Promise<unknown> => Promise.all(folders.map(({ isThere }) => isThere()));
  const lostAt = () => folders[0]?.lostAt();
  const areElsewhere = () => Promise.all(folders.map(({ isElsewhere }) => isElsewhere()));
  await lookEverywhere();
  expect(await lostAt()).toEqual([]);
  expect(await areElsewhere()).toEqual([false, false, false]);
  there.fill(false);
  await lookEverywhere();
  expect(await lostAt()).toEqual(['kota-1', 'kota-2']);
  // A balancer that asks has no better one.
  expect(await areElsewhere()).toEqual([false, false, false]);
  there.splice(0, 2, true, true);
  await lookEverywhere();
  expect(await lostAt()).toEqual(['kota-2']);
  expect(await areElsewhere()).toEqual([false, false, true]);
  await all[2]?.close();
  expect(await lostAt()).toEqual([]);
  there[1] = false;
  let looked: Promise<unknown> | undefined;
  whileAway(() => {
    looked = folders[1]?.isThere();
  });
  await looked;
  expect(await lostAt()).toEqual(['kota-2']);
  for (const folder of folders) folder.close();
  for (const process of all) await process.close();
});

it('knows what another process works on, also after the line was away', async () => {
  const { join, whileAway } = createLine();
  const both = [await join(), await join()] as const;
  const [here, there] = [createSharedWork(both[0], 'import'), createSharedWork(both[1], 'import')];
  for (const process of both) process.start();
  const goingOn = (): boolean[] => ['a', 'b'].map(there.isGoingOn);
  here.begin('a');
  expect(goingOn()).toEqual([true, false]);
  whileAway(() => {
    here.end('a');
    here.begin('b');
  });
  expect(goingOn()).toEqual([false, true]);
  for (const process of both) await process.close();
});

it('knows the open pages that another process tells at the first text of this one', async () => {
  const userId = newId();
  const reader = { id: newId(), name: 'Fitri', isAdmin: true, sessionId: newId() };
  const data = { step: 'view', socketId: 'a', currentUser: reader, userIds: [userId], isVisible: true };
  let texts = 0;
  const test = await buildTestApp({
    openBus: async ({ received }) => ({
      send: () => {
        texts += 1;
        if (texts === 1) received(JSON.stringify({ topic: 'viewers', data, from: 'another' }));
      },
      isLeader: () => true,
      close: async () => {},
    }),
  });
  buildTestUser(test, { id: userId });
  const admin = buildAdmin(test);
  const tab = await openTab(test, admin);
  tab.socket.emit('viewing', { user_id: userId });
  expect((await tab.next('viewing')).viewers.map(({ name }) => name)).toEqual(['Fitri', admin.name]);
});
