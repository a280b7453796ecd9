import { expect, it } from 'vitest';
import type { ClientEventPayloads } from '#shared/client-events.ts';
import { createViewing } from './viewing.ts';

const tick = () => Promise.resolve();

function start() {
  const emitted: ClientEventPayloads['viewing'][] = [];
  return { emitted, viewing: createViewing((payload) => emitted.push(payload)) };
}

it('names one conversation as before, and several with user_ids', async () => {
  const { viewing, emitted } = start();
  viewing.add('u1');
  await tick();
  viewing.add('u2');
  viewing.add('u3');
  await tick();
  expect(emitted).toEqual([{ user_id: 'u1' }, { user_id: 'u1', user_ids: ['u1', 'u2', 'u3'] }]);
});

it('reports one conversation that replaces another with one event, and the last that goes with null', async () => {
  const { viewing, emitted } = start();
  const hideFirst = viewing.add('u1');
  await tick();
  hideFirst();
  const hideSecond = viewing.add('u2');
  await tick();
  hideSecond();
  await tick();
  expect(emitted).toEqual([{ user_id: 'u1' }, { user_id: 'u2' }, { user_id: null }]);
});

it('reports the same again after a reconnect, and nothing where nothing is on the screen', async () => {
  const { viewing, emitted } = start();
  viewing.emitAgain();
  viewing.add('u1');
  await tick();
  viewing.emitAgain();
  expect(emitted).toEqual([{ user_id: 'u1' }, { user_id: 'u1' }]);
});
