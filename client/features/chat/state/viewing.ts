import type { ClientEventPayloads } from '#shared/client-events.ts';
import { COLUMNS_MAX } from '#shared/limits.ts';
import { type ChatState, sideOf } from './chat-state.ts';
import type { EventOf } from './events.ts';

export type Viewing = ClientEventPayloads['viewing'];

/**
 * Which conversations are on the screen. Colleagues see where an admin is (R-INBOX-13), and a message that is on the screen is
 * not pushed (R-PUSH-45). On a hidden page the admin is still there for colleagues, but gets pushes.
 */
export function describeViewing(state: ChatState): Viewing {
  const { viewed, page } = state;
  if (sideOf(state) === 'user') return { open: viewed.length > 0 && page.isVisible };
  const userIds = [...new Set(viewed)].slice(0, COLUMNS_MAX);
  const [first = null] = userIds;
  return {
    user_id: first,
    ...(userIds.length > 1 ? { user_ids: userIds } : {}),
    ...(userIds.length > 0 && !page.isVisible ? { open: false } : {}),
  };
}

/** The server forgets it with the connection; without a conversation on the screen it needs no report. */
export const forgetReportedViewing = (state: ChatState): ChatState => ({
  ...state,
  reportedViewing: state.viewed.length > 0 ? '' : JSON.stringify(describeViewing(state)),
});

export const view = (state: ChatState, { userId }: EventOf<'user.views'>): ChatState => ({
  ...state,
  viewed: [...state.viewed, userId],
});

export function leaveView(state: ChatState, { userId }: EventOf<'user.leavesView'>): ChatState {
  const index = state.viewed.indexOf(userId);
  return index === -1 ? state : { ...state, viewed: state.viewed.toSpliced(index, 1) };
}
