import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createQueuePlaces } from './queue-places.ts';

const USERS = 1000;

function buildQueue() {
  const users = Array.from({ length: USERS }, (_, index) => `u${index}`);
  let waiting = users;
  const told = new Map<string, number | null>();
  let publishCount = 0;
  const places = createQueuePlaces({
    listWaiting: async () => waiting.map((userId): [string, number] => [userId, Number(userId.slice(1))]),
    onlineUserIds: () => users,
    publish: (userId, ahead) => {
      publishCount += 1;
      told.set(userId, ahead);
    },
    areFewWaiting: async () => true,
    publishLength: () => {},
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => places.close());
  return {
    places,
    told,
    count: () => publishCount,
    answerFirst: () => {
      waiting = waiting.slice(1);
      places.changed();
    },
  };
}

it('tells thousands of users their place in small parts, so that other events run in between', async () => {
  const { places, told, count } = buildQueue();
  places.changed();
  const parts: number[] = [];
  while (told.size < USERS) {
    const before = count();
    await nextTurn();
    parts.push(count() - before);
  }
  expect(Math.max(...parts)).toBeLessThanOrEqual(200);
  expect([told.get('u0'), told.get('u999')]).toEqual([0, 999]);
});

it('tells afterwards what changed between two parts', async () => {
  const { places, told, answerFirst } = buildQueue();
  places.changed();
  while (told.size === 0) await nextTurn();
  answerFirst();
  await expect.poll(() => [told.get('u0'), told.get('u1'), told.get('u999')]).toEqual([null, 0, 998]);
});

it('closes once what it reads has been read', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const places = createQueuePlaces({
    listWaiting: async () => [],
    onlineUserIds: () => [],
    publish: () => {},
    areFewWaiting: () => promise,
    publishLength: () => {},
    onError: (error) => {
      throw error;
    },
  });
  places.changed();
  await nextTurn();
  const ended: string[] = [];
  void promise.then(() => ended.push('read'));
  const closing = places.close().then(() => ended.push('close'));
  await nextTurn();
  expect(ended).toEqual([]);
  resolve(true);
  await closing;
  expect(ended).toEqual(['read', 'close']);
});
