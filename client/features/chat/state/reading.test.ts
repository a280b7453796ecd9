import { expect, it } from 'vitest';
import { buildMessages } from '../testing/build-chat-data.ts';
import { type ChatState, emptyChatState } from './chat-state.ts';
import { emptyConversation } from './model/conversation.ts';
import { newestShown, unwatch, watch } from './reading.ts';

const load = (state: ChatState, count: number): ChatState => ({
  ...state,
  conversations: { u1: { ...emptyConversation, loaded: true, messages: buildMessages(1, count) } },
});
const watchAt = (state: ChatState, atBottom: boolean): ChatState =>
  watch(state, { type: 'user.watches', userId: 'u1', atBottom });

it('knows nothing of a conversation that is not open or not loaded', () => {
  expect(newestShown(emptyChatState, 'u1')).toBeNull();
  expect(newestShown(watchAt(emptyChatState, false), 'u1')).toBeNull();
});

it('follows the newest message while the end is on the screen, and stays while it is not', () => {
  const atEnd = watchAt(load(emptyChatState, 0), true);
  expect(newestShown(atEnd, 'u1')).toBe('0');
  expect(newestShown(load(atEnd, 3), 'u1')).toBe('3');
  const above = watchAt(load(watchAt(load(atEnd, 3), false), 5), false);
  expect(newestShown(above, 'u1')).toBe('3');
  const back = watchAt(above, true);
  expect(newestShown(back, 'u1')).toBe('5');
  expect(newestShown(unwatch(back, { type: 'user.unwatches', userId: 'u1' }), 'u1')).toBeNull();
});

it('takes what was loaded first as seen, wherever the conversation opens', () => {
  const opened = watchAt(load(watchAt(emptyChatState, false), 4), false);
  expect(newestShown(load(opened, 6), 'u1')).toBe('4');
});
