import { createStore } from 'jotai';
import { expect, it } from 'vitest';
import { buildMessages } from '../../testing/build-chat-data.ts';
import { emptyConversation } from '../conversation.ts';
import { createShownMessages } from './shown-messages.ts';
import { conversationsAtom } from '../state.ts';

function openConversation() {
  const store = createStore();
  const load = (count: number): void =>
    store.set(conversationsAtom, {
      u1: { ...emptyConversation, loaded: true, messages: buildMessages(1, count) },
    });
  return { load, shown: createShownMessages(store) };
}

it('knows nothing of a conversation that is not open or not loaded', () => {
  const { shown } = openConversation();
  expect(shown.newestShown('u1')).toBeNull();
  shown.watch('u1', false);
  expect(shown.newestShown('u1')).toBeNull();
});

it('follows the newest message while the end is on the screen, and stays while it is not', () => {
  const { load, shown } = openConversation();
  load(0);
  shown.watch('u1', true);
  expect(shown.newestShown('u1')).toBe('0');
  load(3);
  expect(shown.newestShown('u1')).toBe('3');
  shown.watch('u1', false);
  load(5);
  shown.watch('u1', false);
  expect(shown.newestShown('u1')).toBe('3');
  shown.watch('u1', true);
  expect(shown.newestShown('u1')).toBe('5');
  shown.unwatch('u1');
  expect(shown.newestShown('u1')).toBeNull();
});

it('takes what was loaded first as seen, wherever the conversation opens', () => {
  const { load, shown } = openConversation();
  shown.watch('u1', false);
  load(4);
  shown.watch('u1', false);
  load(6);
  expect(shown.newestShown('u1')).toBe('4');
});
