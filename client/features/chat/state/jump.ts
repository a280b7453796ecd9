import { changeConversation, type ChatState, conversationOf, withoutKey } from './chat-state.ts';
import { refreshConversation } from './conversation-sync.ts';
import type { EventOf } from './events.ts';
import { idNumberOf, lastIdNumber } from './model/conversation.ts';
import {
  type Direction,
  extendSegment,
  hasMessage,
  isDeleted,
  joinSegment,
  type Jump,
  type Segment,
  segmentAround,
} from './model/segment.ts';

const setJump = (state: ChatState, userId: string, jump: Jump): ChatState => ({
  ...state,
  jumps: { ...state.jumps, [userId]: jump },
});

/** Back to the newest messages. */
export const endJump = (state: ChatState, userId: string): ChatState => ({
  ...state,
  jumps: withoutKey(state.jumps, userId),
});

/** Shows a message of an open conversation with what stands around it, however old it is; `reviewJump` looks where it is. */
export function jumpTo(state: ChatState, { userId, messageId: targetId }: EventOf<'user.jumps'>): ChatState {
  const number = state.jumpCount + 1;
  return setJump({ ...state, jumpCount: number }, userId, {
    targetId,
    number,
    deletionCount: conversationOf(state, userId).deletionCount,
    loadState: 'busy',
    error: null,
    // The messages on the screen stay until the answer is there.
    segment: state.jumps[userId]?.segment ?? null,
    catchUp: 'none',
  });
}

/** The answer holds the message with others around it, unless the message does not exist any more. */
export function receiveJump(state: ChatState, { userId, history }: EventOf<'call.jumpLoaded'>): ChatState {
  const jump = state.jumps[userId];
  if (!jump) return state;
  const segment = segmentAround(history, jump.targetId);
  return setJump(state, userId, { ...jump, loadState: segment ? 'none' : 'missing', segment, catchUp: 'none' });
}

export function failJump(state: ChatState, { userId, error }: EventOf<'call.jumpFailed'>): ChatState {
  const jump = state.jumps[userId];
  return jump ? setJump(state, userId, { ...jump, loadState: 'failed', error }) : state;
}

const loadStateKey = (direction: Direction) => (direction === 'older' ? 'olderLoadState' : 'newerLoadState');

/** The message at which the next page in a direction begins; undefined where there is no further page. */
export function edgeOf(segment: Segment, direction: Direction): number | undefined {
  const edge = direction === 'older' ? segment.messages[0] : segment.messages.at(-1);
  const hasMore = direction === 'older' ? segment.hasOlder : segment.hasNewer;
  return edge && hasMore ? idNumberOf(edge) : undefined;
}

function changeSegment(state: ChatState, userId: string, change: Partial<Segment>): ChatState {
  const jump = state.jumps[userId];
  return jump?.segment ? setJump(state, userId, { ...jump, segment: { ...jump.segment, ...change } }) : state;
}

/** Loads the page before or after the messages around a message. */
export function readBeside(state: ChatState, { userId, direction }: EventOf<'user.readsBeside'>): ChatState {
  const segment = state.jumps[userId]?.segment;
  if (!segment || edgeOf(segment, direction) === undefined) return state;
  return changeSegment(state, userId, { [loadStateKey(direction)]: 'busy' });
}

export function receiveBeside(
  state: ChatState,
  { userId, direction, history }: EventOf<'call.besideLoaded'>,
): ChatState {
  const jump = state.jumps[userId];
  if (!jump?.segment) return state;
  const extended = extendSegment(jump.segment, history, direction);
  if (extended === 'stale') return refreshConversation(endJump(state, userId), userId);
  return setJump(state, userId, { ...jump, segment: extended });
}

export const failBeside = (state: ChatState, { userId, direction, error }: EventOf<'call.besideFailed'>): ChatState =>
  changeSegment(state, userId, { [loadStateKey(direction)]: 'failed', error });

/** Lets the newest messages catch up where they are behind the segment; `endRefresh` decides what follows. */
function catchUp(state: ChatState, userId: string, jump: Jump): ChatState {
  if (jump.catchUp !== 'none') return state;
  return refreshConversation(setJump(state, userId, { ...jump, catchUp: 'running' }), userId);
}

/** Ends the wait for a message that is there, joins a segment to the loaded messages as soon as it reaches them, and drops it after a deletion. */
function reviewJump(state: ChatState, userId: string): ChatState {
  const jump = state.jumps[userId];
  if (!jump) return state;
  const conversation = conversationOf(state, userId);
  if (conversation.deletionCount !== jump.deletionCount) return endJump(state, userId);
  const { segment } = jump;
  if (!conversation.loaded) return state;
  const isLoaded = hasMessage(conversation.messages, jump.targetId);
  if (jump.loadState === 'busy' && (isLoaded || hasMessage(segment?.messages ?? [], jump.targetId))) {
    return setJump(state, userId, { ...jump, loadState: 'none', segment: isLoaded ? null : segment });
  }
  if (!segment) return state;
  if (isDeleted(conversation, segment)) return endJump(state, userId);
  const joined = joinSegment(conversation, segment);
  if (joined) {
    const placed = changeConversation(state, userId, () => joined);
    return setJump(placed, userId, { ...jump, segment: null, catchUp: 'none' });
  }
  const last = segment.messages.at(-1);
  if (!last || idNumberOf(last) === lastIdNumber(conversation)) return state;
  if (idNumberOf(last) > lastIdNumber(conversation)) return catchUp(state, userId, jump);
  return segment.hasNewer ? state : changeSegment(state, userId, { hasNewer: true });
}

/** After each change of the conversations or of the jumps. */
export const reviewJumps = (state: ChatState): ChatState => Object.keys(state.jumps).reduce(reviewJump, state);
