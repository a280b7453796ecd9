import { useAtomValue } from 'jotai';
import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { listAtom } from '../../state/selectors.ts';
import type { ConversationListState } from '../../state/model/list-state.ts';
import { toIdNumber } from '../../state/model/conversation.ts';

/** The order of the rows at the moment when an admin began to aim at one of them. */
type HeldOrder = { userIds: readonly string[]; newestMessageId: number };

const idOf = ({ other_user }: ConversationSummary): string => other_user._id;
const messageIdOf = (summary: ConversationSummary): number => toIdNumber(summary.last_message?._id);

function holdOrder(rows: readonly ConversationSummary[]): HeldOrder {
  const newestMessageId = rows.reduce((newest, row) => Math.max(newest, messageIdOf(row)), 0);
  return { userIds: rows.map(idOf), newestMessageId };
}

/**
 * The rows in their held order, each with its latest content. A row that only left the filter stays; one whose account was
 * deleted goes. New ones come at the end: on top they would push the others down.
 */
function inHeldOrder(
  rows: readonly ConversationSummary[],
  held: HeldOrder,
  entries: ConversationListState['entries'],
): readonly ConversationSummary[] {
  const byId = new Map(rows.map((row) => [idOf(row), row]));
  const heldIds = new Set(held.userIds);
  return [
    ...held.userIds.flatMap((id) => byId.get(id) ?? entries[id]?.summary ?? []),
    ...rows.filter((row) => !heldIds.has(idOf(row))),
  ];
}

/** Counts the conversations that stand lower than they would without the held order. */
function countMovedUp(rows: readonly ConversationSummary[], held: HeldOrder): number {
  const heldIds = new Set(held.userIds);
  const liveIds = new Set(rows.map(idOf));
  const known = rows.filter((row) => heldIds.has(idOf(row)));
  const shownIds = held.userIds.filter((id) => liveIds.has(id));
  // A conversation that was on top before is at its place, however many messages it gets.
  const firstMoved = known.findIndex((row, index) => idOf(row) !== shownIds[index]);
  const moved =
    firstMoved === -1 ? [] : known.slice(firstMoved).filter((row) => messageIdOf(row) > held.newestMessageId);
  // A new row below all others, as that of who began to wait last, is at its place too.
  const lastKnown = rows.findLastIndex((row) => heldIds.has(idOf(row)));
  return moved.length + rows.slice(0, lastKnown + 1).filter((row) => !heldIds.has(idOf(row))).length;
}

/** A pointer that slips off for a moment comes back; a finger is lifted between two touches. */
const HOLD_AFTER_LEAVE_MS = 1000;
const HOLD_AFTER_TOUCH_MS = 3000;

/**
 * Holds the order of the list while the pointer is over it or a row has the focus: on a busy day a row would otherwise move away
 * between looking and pressing. The content of the rows stays live.
 */
export function useHeldOrder(rows: readonly ConversationSummary[]) {
  const { entries } = useAtomValue(listAtom);
  const [held, setHeld] = useState<HeldOrder | null>(null);
  const isPointerOver = useRef(false);
  const hasFocus = useRef(false);
  const releaseTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(releaseTimer.current), []);

  const shown = useMemo(() => (held ? inHeldOrder(rows, held, entries) : rows), [rows, held, entries]);
  const movedUpCount = held ? countMovedUp(rows, held) : 0;

  function hold(): void {
    clearTimeout(releaseTimer.current);
    setHeld((current) => current ?? holdOrder(rows));
  }
  function releaseSoon(afterMs: number): void {
    clearTimeout(releaseTimer.current);
    if (isPointerOver.current || hasFocus.current) return;
    releaseTimer.current = setTimeout(() => setHeld(null), afterMs);
  }

  return {
    shown,
    movedUpCount,
    /** Takes over the latest order at once, and holds that one. */
    showLatest: (): void => setHeld((current) => current && holdOrder(rows)),
    handlers: {
      onPointerEnter: (): void => {
        isPointerOver.current = true;
        hold();
      },
      onPointerLeave: ({ pointerType }: PointerEvent): void => {
        isPointerOver.current = false;
        releaseSoon(pointerType === 'touch' ? HOLD_AFTER_TOUCH_MS : HOLD_AFTER_LEAVE_MS);
      },
      onFocus: ({ target }: FocusEvent): void => {
        // Not where a press or the way back has left the focus: an admin does not move along the rows from there.
        if (!target.matches(':focus-visible')) return;
        hasFocus.current = true;
        hold();
      },
      onBlur: (): void => {
        hasFocus.current = false;
        releaseSoon(HOLD_AFTER_LEAVE_MS);
      },
    },
  };
}
