import { HISTORY_DEFAULT } from '#shared/limits.ts';
import type { ChatApi } from '../api.ts';
import { type Conversation, idNumberOf, lastIdNumber } from '../conversation.ts';
import {
  type Direction,
  extendSegment,
  hasMessage,
  isDeleted,
  joinSegment,
  type Jump,
  segmentAround,
} from '../segment.ts';
import { changeConversation, type ChatStore, conversationsAtom, jumpsAtom, readConversation } from '../state.ts';

export type JumpSyncDeps = {
  store: ChatStore;
  api: Pick<ChatApi, 'fetchHistory'>;
  /** The id under which this side requests a conversation. */
  resolvePeerId: (userId: string) => Promise<string>;
  /** Brings the newest messages of a conversation up to date. */
  refresh: (userId: string) => Promise<void>;
  /** A call has ended, with an error or without. */
  onCallSettled: (error?: unknown) => void;
};

/** Opens conversations at a message, and loads what stands around it. */
export function createJumpSync({ store, api, resolvePeerId, refresh, onCallSettled }: JumpSyncDeps) {
  let lastNumber = 0;
  /** Numbers of the jumps that wait for a refresh of their conversation. */
  const catchingUp = new Set<number>();

  const readJump = (userId: string): Jump | null => store.get(jumpsAtom)[userId] ?? null;

  function setJump(userId: string, jump: Jump | null): void {
    const { [userId]: before, ...others } = store.get(jumpsAtom);
    if (jump) store.set(jumpsAtom, { ...others, [userId]: jump });
    else if (before) store.set(jumpsAtom, others);
  }

  /** Joins the segment to the loaded messages as soon as it reaches them, and drops it after a deletion. */
  function settle(userId: string): void {
    const jump = readJump(userId);
    if (!jump) return;
    const conversation = readConversation(store, userId);
    if (conversation.epoch !== jump.epoch) return setJump(userId, null);
    const { segment } = jump;
    if (!segment || !conversation.loaded) return;
    if (isDeleted(conversation, segment)) return setJump(userId, null);
    const joined = joinSegment(conversation, segment);
    if (joined) {
      // First: the message must not leave the screen between both.
      changeConversation(store, userId, () => joined);
      return setJump(userId, { ...jump, segment: null });
    }
    const last = segment.messages.at(-1);
    const isBehind = last && idNumberOf(last) < lastIdNumber(conversation);
    if (isBehind && !segment.hasNewer) setJump(userId, { ...jump, segment: { ...segment, hasNewer: true } });
    else if (!isBehind) void catchUp(userId);
  }

  const unsubscribe = store.sub(conversationsAtom, () => Object.keys(store.get(jumpsAtom)).forEach(settle));

  /**
   * Lets the live messages catch up where they are behind the segment. What does not come then does not exist any more: the
   * history was deleted, and this page has missed the event.
   */
  async function catchUp(userId: string): Promise<void> {
    const jump = readJump(userId);
    const last = jump?.segment?.messages.at(-1);
    if (!jump || !last || catchingUp.has(jump.number)) return;
    const isBehind = (conversation: Conversation): boolean =>
      conversation.loaded && lastIdNumber(conversation) < idNumberOf(last);
    if (!isBehind(readConversation(store, userId))) return;
    catchingUp.add(jump.number);
    await refresh(userId);
    catchingUp.delete(jump.number);
    const conversation = readConversation(store, userId);
    const isComplete = conversation.loadState === 'none';
    if (isComplete && isBehind(conversation) && readJump(userId)?.number === jump.number) setJump(userId, null);
  }

  async function jumpTo(userId: string, targetId: number): Promise<void> {
    const { loaded, messages, epoch } = readConversation(store, userId);
    const known = readJump(userId);
    lastNumber += 1;
    const jump: Jump = { targetId, number: lastNumber, epoch, loadState: 'none', error: null, segment: null };
    if (loaded && hasMessage(messages, targetId)) return setJump(userId, jump);
    const segment = known?.segment ?? null;
    if (segment && hasMessage(segment.messages, targetId)) return setJump(userId, { ...jump, segment });
    // What is on the screen stays until the answer is there.
    setJump(userId, { ...jump, loadState: 'busy', segment });
    /** The jump, while no other one has followed. Its segment may have joined the loaded messages meanwhile. */
    const findCurrent = (): Jump | null => {
      const now = readJump(userId);
      return now?.number === jump.number ? now : null;
    };
    try {
      const peerId = await resolvePeerId(userId);
      const history = await api.fetchHistory(peerId, { limit: HISTORY_DEFAULT, around: targetId });
      if (findCurrent()) {
        const found = segmentAround(history, targetId);
        setJump(userId, { ...jump, loadState: found ? 'none' : 'missing', segment: found });
        settle(userId);
      }
      onCallSettled();
    } catch (error) {
      const now = findCurrent();
      if (now) setJump(userId, { ...now, loadState: 'failed', error });
      onCallSettled(error);
    }
  }

  /** Loads the page before or after the segment. */
  async function readPage(userId: string, direction: Direction): Promise<void> {
    const atRequest = readJump(userId);
    const segment = atRequest?.segment;
    const edge = direction === 'older' ? segment?.messages[0] : segment?.messages.at(-1);
    const hasMore = direction === 'older' ? segment?.hasOlder : segment?.hasNewer;
    const stateKey = direction === 'older' ? 'olderLoadState' : 'newerLoadState';
    if (!segment || !edge || !hasMore || segment[stateKey] === 'busy') return;

    /** The jump with its segment, while that still begins or ends as at the request. */
    function findCurrent() {
      const now = readJump(userId);
      if (!now?.segment || now.number !== atRequest?.number) return null;
      const nowEdge = direction === 'older' ? now.segment.messages[0] : now.segment.messages.at(-1);
      return nowEdge?._id === edge?._id ? { ...now, segment: now.segment } : null;
    }
    setJump(userId, { ...atRequest, segment: { ...segment, [stateKey]: 'busy' } });
    try {
      const peerId = await resolvePeerId(userId);
      const position = direction === 'older' ? { before: idNumberOf(edge) } : { after: idNumberOf(edge) };
      const history = await api.fetchHistory(peerId, { limit: HISTORY_DEFAULT, ...position });
      const now = findCurrent();
      if (now) {
        const extended = extendSegment(now.segment, history, direction);
        setJump(userId, extended === 'stale' ? null : { ...now, segment: extended });
        settle(userId);
        if (extended === 'stale') void refresh(userId);
      }
      onCallSettled();
    } catch (error) {
      const now = findCurrent();
      if (now) setJump(userId, { ...now, segment: { ...now.segment, [stateKey]: 'failed', error } });
      onCallSettled(error);
    }
  }

  return {
    jumpTo,
    readPage,
    /** Back to the newest messages. */
    end: (userId: string): void => setJump(userId, null),
    stop: unsubscribe,
  };
}
