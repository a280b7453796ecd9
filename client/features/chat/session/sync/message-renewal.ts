import type { Message } from '#shared/api/chat.ts';
import { HISTORY_DEFAULT } from '#shared/limits.ts';
import type { ChatApi } from '../api.ts';
import { replaceMessages, withFreshMessages } from '../conversation.ts';
import { changeConversation, type ChatStore, jumpsAtom } from '../state.ts';

export type MessageRenewalDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchHistory'>;
  /** The id under which this side requests a conversation. */
  resolvePeerId: (userId: string) => Promise<string>;
  /** A call has ended, with an error or without. */
  onCallSettled: (error?: unknown) => void;
};

/** Shows newer answers about known messages, wherever they are on the screen. */
export function applyFreshMessages(store: ChatStore, userId: string, messages: readonly Message[]): void {
  changeConversation(store, userId, (conversation) => replaceMessages(conversation, messages));
  const jumps = store.get(jumpsAtom);
  const jump = jumps[userId];
  if (!jump?.segment) return;
  const segment = { ...jump.segment, messages: withFreshMessages(jump.segment.messages, messages) };
  store.set(jumpsAtom, { ...jumps, [userId]: { ...jump, segment } });
}

/** The photos of one screen fail together: what is asked for within this time is asked for once. */
const COLLECT_MS = 50;

/** Reads messages again: links to files expire (R-FILE-7), and photos become proofs (docs/requirements.md R-CARD-32). */
export function createMessageRenewal({ store, api, resolvePeerId, onCallSettled }: MessageRenewalDeps) {
  const runs = new Map<string, { wanted: Set<string>; done: Promise<void> }>();

  async function renewAround(userId: string, messageId: string): Promise<string[]> {
    const peerId = await resolvePeerId(userId);
    const { messages } = await api.fetchHistory(peerId, { limit: HISTORY_DEFAULT, around: Number(messageId) });
    applyFreshMessages(store, userId, messages);
    return messages.map(({ _id }) => _id);
  }

  async function run(userId: string, wanted: Set<string>): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, COLLECT_MS));
    try {
      for (let [next] = wanted; next !== undefined; [next] = wanted) {
        // What is asked for from here on may have changed after this answer was made.
        const others = new Set(wanted);
        wanted.clear();
        // One answer renews also what stands around that message.
        const renewed = await renewAround(userId, next);
        for (const id of [next, ...renewed]) others.delete(id);
        for (const id of others) wanted.add(id);
      }
      onCallSettled();
    } catch (error) {
      onCallSettled(error);
    } finally {
      runs.delete(userId);
    }
  }

  /** Never rejects: where it fails, the old links stay. */
  return function renewMessage(userId: string, messageId: string): Promise<void> {
    const current = runs.get(userId);
    if (current) {
      current.wanted.add(messageId);
      return current.done;
    }
    const wanted = new Set([messageId]);
    const done = run(userId, wanted);
    runs.set(userId, { wanted, done });
    return done;
  };
}
