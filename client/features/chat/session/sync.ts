import type { History, Message } from '#shared/api/chat.ts';
import { HISTORY_DEFAULT, HISTORY_MAX } from '#shared/limits.ts';
import type { ChatApi } from './api.ts';
import {
  applyAfter,
  applyNewest,
  applyOlder,
  clearConversation,
  type Conversation,
  hasGap,
  lastId,
  numberOf,
  receiveMessage,
} from './conversation.ts';
import { changeConversation, type ChatStore, readConversation } from './state.ts';

export type SyncDeps = {
  store: ChatStore;
  calls: Pick<ChatApi, 'history'>;
  /** Under which id this side asks for a conversation. */
  peerOf: (userId: string) => Promise<string>;
  /** Messages that this page learned of just now. `arrived`: they came while the conversation was already on show. */
  onNew: (messages: readonly Message[], arrived: boolean) => void;
  /** Positions have moved, perhaps because of another tab. */
  onSeen: (userId: string, conversation: Conversation) => void;
  /** A call came back, with an error or without. */
  onAnswer: (error?: unknown) => void;
};

/** Rounds of one refresh; more are only needed where somebody deletes the history again and again. */
const ROUNDS_MAX = 50;

/** Keeps conversations equal to the server's, by one and the same way at start, after a reconnect, in a gap and when polling. */
export function createSync({ store, calls, peerOf, onNew, onSeen, onAnswer }: SyncDeps) {
  const running = new Map<string, { again: boolean; done: Promise<void> }>();
  const answered = new Map<string, number>();

  /** The one way into the store: whatever is new here is told. */
  function change(userId: string, reduce: (conversation: Conversation) => Conversation): void {
    const before = readConversation(store, userId);
    changeConversation(store, userId, reduce);
    const after = readConversation(store, userId);
    if (after.seen !== before.seen) onSeen(userId, after);
    if (after.messages === before.messages) return;
    const known = before.epoch === after.epoch ? lastId(before) : 0;
    const fresh = after.messages.filter((message) => numberOf(message) > known);
    if (fresh.length > 0) onNew(fresh, before.loaded);
  }

  /** One call and its place in the store. @returns whether there is more to ask for */
  async function step(userId: string, peerId: string, isCurrent: () => boolean): Promise<boolean> {
    const asked = readConversation(store, userId);
    const after = lastId(asked);
    const history = await calls.history(
      peerId,
      asked.loaded ? { limit: HISTORY_MAX, after } : { limit: HISTORY_DEFAULT },
    );
    // Overtaken by a newer call: that one's answer is the younger, whichever comes first.
    if (!isCurrent()) return false;
    answered.set(userId, (answered.get(userId) ?? 0) + 1);
    let more = false;
    change(userId, (now) => {
      more = now.epoch !== asked.epoch;
      if (more) return now;
      const next = asked.loaded ? applyAfter(now, history, after, asked.ahead) : applyNewest(now, history, asked.ahead);
      more = next === 'stale' || hasGap(next) || (asked.loaded && history.has_more);
      // Read afresh from the newest page, as at start.
      return next === 'stale' ? { ...clearConversation(now), loaded: false } : next;
    });
    return more;
  }

  async function run(userId: string, isCurrent: () => boolean): Promise<void> {
    const settle = (state: Partial<Conversation>): void => {
      if (isCurrent()) changeConversation(store, userId, (conversation) => ({ ...conversation, ...state }));
    };
    settle({ load: 'busy' });
    try {
      const peerId = await peerOf(userId);
      for (let round = 0; round < ROUNDS_MAX && (await step(userId, peerId, isCurrent)); round += 1);
      settle({ load: 'none', error: null });
      onAnswer();
    } catch (error) {
      settle({ load: 'failed', error });
      // Of a call that was overtaken by a newer one nobody needs to hear.
      if (isCurrent()) onAnswer(error);
    }
  }

  /** Brings one conversation up to date. Never rejects: a failure is part of the conversation's state. */
  function refresh(userId: string): Promise<void> {
    const current = running.get(userId);
    if (current) {
      current.again = true;
      return current.done;
    }
    return begin(userId);
  }

  function begin(userId: string): Promise<void> {
    const turn = { again: false, done: Promise.resolve() };
    const isCurrent = (): boolean => running.get(userId) === turn;
    running.set(userId, turn);
    turn.done = (async () => {
      do {
        turn.again = false;
        await run(userId, isCurrent);
      } while (turn.again && isCurrent());
      if (isCurrent()) running.delete(userId);
    })();
    return turn.done;
  }

  async function readOlder(userId: string): Promise<void> {
    const asked = readConversation(store, userId);
    const first = asked.messages[0];
    if (!first || !asked.hasOlder) return;
    changeConversation(store, userId, (conversation) => ({ ...conversation, older: 'busy' }));
    try {
      const before = numberOf(first);
      const history: History = await calls.history(await peerOf(userId), { limit: HISTORY_DEFAULT, before });
      let stale = false;
      changeConversation(store, userId, (now) => {
        const settled: Conversation = { ...now, older: 'none' };
        if (now.epoch !== asked.epoch) return settled;
        const next = applyOlder(settled, history, before);
        stale = next === 'stale';
        return next === 'stale' ? { ...clearConversation(settled), loaded: false } : next;
      });
      if (stale) await refresh(userId);
      onAnswer();
    } catch (error) {
      changeConversation(store, userId, (conversation) => ({ ...conversation, older: 'failed', error }));
      onAnswer(error);
    }
  }

  return {
    refresh,
    /** A new call, whatever becomes of one under way: after a change of network that one may hang until its timeout. */
    retry: begin,
    /** One page back. Asked again while a call is under way, it asks again; the answer counts once. */
    readOlder,
    /** For timers: a call that is under way already brings what they want. */
    poll: (userId: string): Promise<void> => running.get(userId)?.done ?? refresh(userId),
    /** Changes whenever something was read or deleted; what was asked for under another one may be out of date. */
    stamp: (userId: string): string => `${readConversation(store, userId).epoch} ${answered.get(userId) ?? 0}`,
    /** A pushed message. What it lacks before it is asked for. */
    receive(message: Message, userId: string): void {
      change(userId, (conversation) => receiveMessage(conversation, message));
      if (hasGap(readConversation(store, userId))) void refresh(userId);
    },
    /** The history was deleted; read again, because something may have been written since. */
    clear(userId: string): void {
      change(userId, clearConversation);
      if (readConversation(store, userId).loaded) void refresh(userId);
    },
  };
}
export type Sync = ReturnType<typeof createSync>;
