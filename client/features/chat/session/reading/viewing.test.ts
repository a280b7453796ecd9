import { afterEach, expect, it, vi } from 'vitest';
import type { Side } from '#shared/events.ts';
import type { ClientEventPayloads } from '#shared/client-events.ts';
import { createViewing } from './viewing.ts';

const tick = () => Promise.resolve();

let visible: DocumentVisibilityState = 'visible';
function setVisible(value: DocumentVisibilityState): void {
  visible = value;
  document.dispatchEvent(new Event('visibilitychange'));
}
let stop = () => {};
afterEach(() => {
  stop();
  visible = 'visible';
});

function start(side: Side = 'admin') {
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  const emitted: ClientEventPayloads['viewing'][] = [];
  const viewing = createViewing(side, (payload) => emitted.push(payload));
  stop = () => viewing.stop();
  return { emitted, viewing };
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

it('says of a hidden page that nobody sees its conversations, and that the admin is still there', async () => {
  const { viewing, emitted } = start();
  setVisible('hidden');
  setVisible('visible');
  viewing.add('u1');
  await tick();
  setVisible('hidden');
  viewing.emitAgain();
  setVisible('visible');
  viewing.stop();
  setVisible('hidden');
  expect(emitted).toEqual([
    { user_id: 'u1' },
    { user_id: 'u1', open: false },
    { user_id: 'u1', open: false },
    { user_id: 'u1' },
  ]);
});

it('says of a user only whether the own conversation is on a visible screen', async () => {
  const { viewing, emitted } = start('user');
  setVisible('hidden');
  setVisible('visible');
  const hide = viewing.add('u1');
  await tick();
  setVisible('hidden');
  viewing.emitAgain();
  setVisible('visible');
  hide();
  await tick();
  expect(emitted).toEqual([{ open: true }, { open: false }, { open: false }, { open: true }, { open: false }]);
});
