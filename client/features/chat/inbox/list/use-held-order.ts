import { useAtomValue } from 'jotai';
import { type FocusEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { listAtom } from '../../session/state.ts';
import { countMovedUp, type HeldOrder, holdOrder, inHeldOrder } from './held-order.ts';

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
