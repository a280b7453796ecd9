import type { Transaction } from '#server/db/engine.ts';
import type { Side } from '#shared/events.ts';

/** Calls to another feature about all conversations. */
export type ConversationListener = {
  /** A message is being stored; called inside its transaction, which may still be rolled back. */
  messageStoring: (tx: Transaction, message: { id: number; userId: string; fromAdmin: boolean }) => Promise<void>;
  /** The unread messages of a side changed: one came, or was read or deleted. Called after the commit, at each process. */
  unreadChanged: (userId: string, side: Side) => void;
  /** A page that had conversations on the screen is gone without a word: what came since its last sign of life was not seen. */
  viewerLost: (accountId: string, userIds: readonly string[]) => void;
};

/** Passes on what happens in conversations to the feature that asked for it, if one did. */
export function createConversationWatch() {
  let listener: ConversationListener | null = null;
  return {
    /** Called before the server listens. */
    listen: (to: ConversationListener): void => {
      listener = to;
    },
    messageStoring: async (...message: Parameters<ConversationListener['messageStoring']>): Promise<void> =>
      listener?.messageStoring(...message),
    unreadChanged: (userId: string, side: Side): void => listener?.unreadChanged(userId, side),
    viewerLost: (accountId: string, userIds: readonly string[]): void => listener?.viewerLost(accountId, userIds),
  };
}
export type ConversationWatch = ReturnType<typeof createConversationWatch>;
