import type { History, Message } from '#shared/api/chat/chat.ts';
import { type Conversation, idNumberOf, lastIdNumber, type LoadState, toIdNumber } from './conversation.ts';

/**
 * A part of a conversation with a gap between it and the newest messages: what stands around a message that somebody has
 * jumped to. New messages never enter it, because they would stand beside messages from long before them. When its newer
 * pages reach the loaded messages, both become one.
 */
export type Segment = {
  /** In id order and without a gap. */
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  olderLoadState: LoadState;
  newerLoadState: LoadState;
  /** Why the last load of a page failed. */
  error: unknown;
};

export type Direction = 'older' | 'newer';

/** A message to which somebody has jumped in an open conversation. */
export type Jump = {
  targetId: number;
  /** Grows with every jump: a second one to the same message is a jump, too. */
  number: number;
  /** Of the conversation at the jump; after a deletion it has another one. */
  deletionCount: number;
  /** `missing`: the message does not exist any more. */
  loadState: LoadState | 'missing';
  error: unknown;
  /** null: the message is among the loaded ones, or not there yet. */
  segment: Segment | null;
  /**
   * Whether the conversation is read anew because the segment is ahead of it. `failed`: until the next time that it is read.
   */
  catchUp: 'none' | 'running' | 'failed';
};

export function hasMessage(messages: readonly Message[], id: number): boolean {
  return messages.some((message) => idNumberOf(message) === id);
}

/** The messages around one; null when that one is not among them. */
export function segmentAround(history: History, targetId: number): Segment | null {
  if (!hasMessage(history.messages, targetId)) return null;
  return {
    messages: history.messages,
    hasOlder: history.has_older ?? history.has_more,
    hasNewer: history.has_newer ?? true,
    olderLoadState: 'none',
    newerLoadState: 'none',
    error: null,
  };
}

/** Adds the page before the first message, or the one after the last. @returns 'stale' when it does not continue them */
export function extendSegment(segment: Segment, history: History, direction: Direction): Segment | 'stale' {
  const [first, last] = [segment.messages[0], segment.messages.at(-1)];
  const [pageFirst, pageLast] = [history.messages[0], history.messages.at(-1)];
  if (!first || !last) return 'stale';
  if (direction === 'older') {
    if (toIdNumber(first.prev_id) !== (pageLast ? idNumberOf(pageLast) : 0)) return 'stale';
    const messages = [...history.messages, ...segment.messages];
    return { ...segment, messages, hasOlder: history.has_more, olderLoadState: 'none' };
  }
  if (pageFirst && toIdNumber(pageFirst.prev_id) !== idNumberOf(last)) return 'stale';
  const messages = [...segment.messages, ...history.messages];
  return { ...segment, messages, hasNewer: history.has_more, newerLoadState: 'none' };
}

/** Whether the loaded messages begin the conversation, and the segment begins before them: then it was deleted. */
export function isDeleted(conversation: Conversation, segment: Segment): boolean {
  const [first, segmentFirst] = [conversation.messages[0], segment.messages[0]];
  if (!conversation.loaded || conversation.hasOlder || !first || !segmentFirst) return false;
  return idNumberOf(segmentFirst) < idNumberOf(first);
}

/** The conversation with the messages of a segment that reaches its loaded ones; null while a gap is between them. */
export function joinSegment(conversation: Conversation, segment: Segment): Conversation | null {
  const first = conversation.messages[0];
  const last = segment.messages.at(-1);
  if (!conversation.loaded || !first || !last) return null;
  const [firstId, lastId] = [idNumberOf(first), idNumberOf(last)];
  // A segment that is further than the loaded messages waits for them.
  if (lastId > lastIdNumber(conversation)) return null;
  if (lastId < firstId && toIdNumber(first.prev_id) !== lastId) return null;
  const added = segment.messages.filter((message) => idNumberOf(message) < firstId);
  if (added.length === 0) return conversation;
  return { ...conversation, messages: [...added, ...conversation.messages], hasOlder: segment.hasOlder };
}
