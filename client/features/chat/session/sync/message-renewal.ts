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

/** The photos of one screen fail together: what is asked for within this time is asked for once. */
const COLLECT_MS = 50;

/** Reads messages again, because the links to their files expire (docs/requirements.md R-FILE-7). */
export function createMessageRenewal({ store, api, resolvePeerId, onCallSettled }: MessageRenewalDeps) {
  const runs = new Map<string, { wanted: Set<string>; done: Promise<void> }>();

  async function renewAround(userId: string, messageId: string): Promise<string[]> {
    const peerId = await resolvePeerId(userId);
    const { messages } = await api.fetchHistory(peerId, { limit: HISTORY_DEFAULT, around: Number(messageId) });
    changeConversation(store, userId, (conversation) => replaceMessages(conversation, messages));
    const jumps = store.get(jumpsAtom);
    const jump = jumps[userId];
    if (jump?.segment) {
      const segment = { ...jump.segment, messages: withFreshMessages(jump.segment.messages, messages) };
      store.set(jumpsAtom, { ...jumps, [userId]: { ...jump, segment } });
    }
    return messages.map(({ _id }) => _id);
  }

  async function run(userId: string, wanted: Set<string>): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, COLLECT_MS));
    try {
      for (let [next] = wanted; next !== undefined; [next] = wanted) {
        // One answer renews also what stands around that message.
        const renewed = await renewAround(userId, next);
        for (const id of [next, ...renewed]) wanted.delete(id);
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
