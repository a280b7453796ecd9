import { useStore } from 'jotai';
import { useState } from 'react';
import { INBOX_UNDO_MS } from '#shared/limits.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { ConversationStateUpdate } from '#shared/api/chat/inbox.ts';
import { idNumberOf, toIdNumber } from '../../state/model/conversation.ts';
import { currentUserAtom, listAtom, readConversation } from '../../state/selectors.ts';
import '../../session/admin-part.ts';
import { useChatSession } from '../../session/use-chat.ts';
import { resultText, unchangedBy, type Unchanged, unchangedText } from './action-texts.ts';
import {
  type ActionTarget,
  type ConversationAction,
  isUndoable,
  performAction,
  reasonToSkip,
  stateBefore,
  undoAction,
} from './perform-action.ts';

/** Runs `run` for each item, at most `limit` at a time. The results stand in the order of the items. */
async function runBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function work(): Promise<void> {
    while (next < items.length) {
      const index = next;
      next += 1;
      results[index] = await run(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
  return results;
}

/** The user of one conversation, or of several. */
export type Targets = string | readonly string[];
/** The result of an action: each chosen conversation is in exactly one of the lists. */
export type ActionResult = { doneIds: string[]; unchangedIds: string[] };

/** Several conversations are changed at once, but not so many that a list of hundreds fills the server's queue. */
const PARALLEL_CALLS = 6;

type Done = { target: ActionTarget; name: string; after: ConversationStateUpdate };
type Outcome = { userId: string; done: Done } | { userId: string; unchanged: Unchanged };

/**
 * The actions on one conversation or on several: claim, release, snooze, dismiss. Each shows its result in one toast, names
 * the conversations that did not change, and offers 'Urungkan' for six seconds.
 */
export function useConversationActions() {
  const store = useStore();
  const chatSession = useChatSession();
  const [runningCount, setRunningCount] = useState(0);
  const adminId = (): string => store.get(currentUserAtom)?.id ?? '';
  const summaryOf = (userId: string) => store.get(listAtom).entries[userId]?.summary;
  const nameOf = (userId: string): string => summaryOf(userId)?.other_user.name || 'Warga';

  function targetOf(userId: string): ActionTarget {
    const summary = summaryOf(userId);
    const shown = readConversation(store, userId).messages.at(-1);
    const upTo = Math.max(toIdNumber(summary?.last_message?._id), shown ? idNumberOf(shown) : 0);
    return { userId, upTo: String(upTo), before: stateBefore(summary) };
  }

  async function attempt(action: ConversationAction, target: ActionTarget): Promise<Outcome> {
    const { userId } = target;
    const name = nameOf(userId);
    const reason = reasonToSkip(action, summaryOf(userId), adminId());
    if (reason !== null) return { userId, unchanged: { name, reason } };
    try {
      const after = await performAction(action, target);
      chatSession?.lists.applyState(after);
      return { userId, done: { target, name, after } };
    } catch (error) {
      return { userId, unchanged: unchangedBy(error, name) };
    }
  }

  async function undo(action: ConversationAction, done: readonly Done[]): Promise<void> {
    const failures = await runBounded(done, PARALLEL_CALLS, async ({ target, name, after }) => {
      try {
        const context = { adminId: adminId(), nowMs: Date.now() };
        chatSession?.lists.applyState(await undoAction(action, target, after, context));
        return null;
      } catch (error) {
        return unchangedBy(error, name);
      }
    });
    const unchanged = failures.filter((failure) => failure !== null);
    if (unchanged.length === 0) notify.success('Dikembalikan seperti semula');
    else notify.error(`Tidak dapat dikembalikan: ${unchangedText(unchanged)}`, unchanged[0]?.hint);
  }

  async function run(action: ConversationAction, targets: Targets): Promise<ActionResult> {
    const userIds = typeof targets === 'string' ? [targets] : targets;
    // At once: a message that comes while a conversation waits for its turn was not meant.
    const pressedFor = userIds.map(targetOf);
    setRunningCount((count) => count + 1);
    try {
      const outcomes = await runBounded(pressedFor, PARALLEL_CALLS, (target) => attempt(action, target));
      const done = outcomes.flatMap((outcome) => ('done' in outcome ? [outcome.done] : []));
      const unchanged = outcomes.flatMap((outcome) => ('unchanged' in outcome ? [outcome.unchanged] : []));
      const text = resultText(
        action,
        done.map(({ name }) => name),
        unchanged,
        Date.now(),
      );
      const hint = unchanged.find((each) => each.hint)?.hint;
      if (done.length === 0) notify.error(text, hint);
      else if (!isUndoable(action)) notify.success(text);
      else {
        notify.undo({
          message: hint ? `${text}. ${hint}` : text,
          durationMs: INBOX_UNDO_MS,
          onUndo: () => void undo(action, done),
        });
      }
      return {
        doneIds: done.map(({ target }) => target.userId),
        unchangedIds: outcomes.flatMap((outcome) => ('unchanged' in outcome ? [outcome.userId] : [])),
      };
    } finally {
      setRunningCount((count) => count - 1);
    }
  }

  return {
    busy: runningCount > 0,
    claim: (targets: Targets) => run({ kind: 'claim' }, targets),
    /** Also when a colleague handles it; cannot be undone. */
    take: (targets: Targets) => run({ kind: 'take' }, targets),
    release: (targets: Targets) => run({ kind: 'release' }, targets),
    /** "Tidak perlu dibalas" */
    dismiss: (targets: Targets) => run({ kind: 'dismiss' }, targets),
    /** @param until ISO 8601 */
    snooze: (targets: Targets, until: string) => run({ kind: 'snooze', until }, targets),
    unsnooze: (targets: Targets) => run({ kind: 'unsnooze' }, targets),
  };
}
export type ConversationActions = ReturnType<typeof useConversationActions>;
