import { lastIdNumber } from '../conversation.ts';
import { type ChatStore, readConversation } from '../state.ts';

/** Remembers up to which message the open conversations were on the screen, so that a second answer is noticed (R-REPLY-5). */
export function createShownMessages(store: ChatStore) {
  const shown = new Map<string, { atBottom: boolean; upTo: number }>();
  const newestOf = (userId: string): number => lastIdNumber(readConversation(store, userId));

  return {
    /** @param atBottom whether the end of the conversation is on the screen */
    watch(userId: string, atBottom: boolean): void {
      if (!readConversation(store, userId).loaded) return;
      const before = shown.get(userId);
      // Up to this moment everything new came into view.
      const upTo = atBottom || before === undefined || before.atBottom ? newestOf(userId) : before.upTo;
      shown.set(userId, { atBottom, upTo });
    },
    unwatch: (userId: string): void => void shown.delete(userId),
    /** The newest message on the screen, '0' for an empty conversation; null when it is not open or not loaded. */
    newestShown(userId: string): string | null {
      const position = shown.get(userId);
      if (!position) return null;
      return String(position.atBottom ? newestOf(userId) : position.upTo);
    },
  };
}
