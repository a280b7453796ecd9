import { afterEach, expect, it, vi } from 'vitest';
import type { Side } from '#shared/events.ts';
import { type RunningChat, runChat } from '../testing/run-chat.ts';
import { viewingReports } from './reports.ts';

const tick = () => Promise.resolve();

let visible: DocumentVisibilityState = 'visible';
/** The page changes, and reports it in the next moment. */
async function setVisible(value: DocumentVisibilityState): Promise<void> {
  visible = value;
  document.dispatchEvent(new Event('visibilitychange'));
  await tick();
}
let chat: RunningChat;
afterEach(() => {
  chat.stop();
  visible = 'visible';
});

function start(side: Side = 'admin') {
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible);
  chat = runChat({ initial: { currentUser: { side, id: 'a1', name: 'Ratna' } }, effects: { viewingReports } });
  chat.dispatch({ type: 'socket.connected' });
  const { dispatch, socket } = chat;
  return {
    emitted: () => socket.emitted.filter(([event]) => event === 'viewing').map(([, payload]) => payload),
    view: (userId: string) => dispatch({ type: 'user.views', userId }),
    leave: (userId: string) => dispatch({ type: 'user.leavesView', userId }),
    reconnect: async (): Promise<void> => {
      dispatch({ type: 'socket.disconnected' });
      dispatch({ type: 'socket.connected' });
      await tick();
    },
  };
}

it('names one conversation as before, and several with user_ids', async () => {
  const { view, emitted } = start();
  view('u1');
  await tick();
  view('u2');
  view('u3');
  await tick();
  expect(emitted()).toEqual([{ user_id: 'u1' }, { user_id: 'u1', user_ids: ['u1', 'u2', 'u3'] }]);
});

it('reports one conversation that replaces another with one event, and the last that goes with null', async () => {
  const { view, leave, emitted } = start();
  view('u1');
  await tick();
  leave('u1');
  view('u2');
  await tick();
  leave('u2');
  await tick();
  expect(emitted()).toEqual([{ user_id: 'u1' }, { user_id: 'u2' }, { user_id: null }]);
});

it('reports the same again after a reconnect, and nothing where nothing is on the screen', async () => {
  const { view, reconnect, emitted } = start();
  await reconnect();
  view('u1');
  await tick();
  await reconnect();
  expect(emitted()).toEqual([{ user_id: 'u1' }, { user_id: 'u1' }]);
});

it('reports a change that came while there was no connection once there is one', async () => {
  const { view, emitted } = start();
  chat.dispatch({ type: 'socket.disconnected' });
  view('u1');
  await tick();
  expect(emitted()).toEqual([]);
  chat.dispatch({ type: 'socket.connected' });
  await tick();
  expect(emitted()).toEqual([{ user_id: 'u1' }]);
});

it('says of a hidden page that nobody sees its conversations, and that the admin is still there', async () => {
  const { view, reconnect, emitted } = start();
  await setVisible('hidden');
  await setVisible('visible');
  view('u1');
  await tick();
  await setVisible('hidden');
  await reconnect();
  await setVisible('visible');
  chat.stop();
  await setVisible('hidden');
  expect(emitted()).toEqual([
    { user_id: 'u1' },
    { user_id: 'u1', open: false },
    { user_id: 'u1', open: false },
    { user_id: 'u1' },
  ]);
});

it('says of a user only whether the own conversation is on a visible screen', async () => {
  const { view, leave, reconnect, emitted } = start('user');
  await setVisible('hidden');
  await setVisible('visible');
  view('u1');
  await tick();
  await setVisible('hidden');
  await reconnect();
  await setVisible('visible');
  leave('u1');
  await tick();
  expect(emitted()).toEqual([{ open: true }, { open: false }, { open: false }, { open: true }, { open: false }]);
});
