import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

/** Between press and release a pointer moves by less than this, or it is a drag. */
const PRESS_MOVES_MAX_PX = 10;
/** The long press of a phone's system takes the same time. */
const LONG_PRESS_MS = 500;

type Place = { x: number; y: number };
type RowPressOptions = {
  /** Whether a press selects a row instead of opening it. */
  selecting: boolean;
  onOpen: (userId: string) => void;
  onToggle: (userId: string, range: boolean) => void;
  onMenu: (userId: string, at: Place) => void;
};

/** The user of the row that contains an element, or null. */
export function rowUserIdOf(target: EventTarget): string | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-user-id]') : null;
  return row?.dataset['userId'] ?? null;
}

const distance = (from: Place, { clientX, clientY }: MouseEvent): number =>
  Math.hypot(clientX - from.x, clientY - from.y);

/**
 * Presses on the rows of the list: a press opens the row, with Ctrl, Cmd or Shift it selects, a long one too; the right mouse
 * button opens the menu of the row. A press belongs to the row on which it began, also when another row has come under the
 * pointer until the release.
 */
export function useRowPress({ selecting, onOpen, onToggle, onMenu }: RowPressOptions) {
  const pressed = useRef<({ userId: string } & Place) | null>(null);
  const isTouch = useRef(false);
  const wasLongPress = useRef(false);
  const longPressTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(longPressTimer.current), []);

  const cancelLongPress = (): void => clearTimeout(longPressTimer.current);
  function selectByLongPress(userId: string): void {
    cancelLongPress();
    if (wasLongPress.current) return;
    wasLongPress.current = true;
    onToggle(userId, false);
  }
  const stop = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
  };

  return {
    onPointerDown({ target, clientX: x, clientY: y, pointerType }: PointerEvent): void {
      const userId = rowUserIdOf(target);
      pressed.current = userId === null ? null : { userId, x, y };
      isTouch.current = pointerType === 'touch';
      wasLongPress.current = false;
      cancelLongPress();
      if (userId !== null && isTouch.current)
        longPressTimer.current = setTimeout(() => selectByLongPress(userId), LONG_PRESS_MS);
    },
    onPointerMove(event: PointerEvent): void {
      if (pressed.current && distance(pressed.current, event) > PRESS_MOVES_MAX_PX) cancelLongPress();
    },
    onPointerUp: cancelLongPress,
    onPointerCancel: cancelLongPress,
    onClickCapture(event: MouseEvent): void {
      const press = pressed.current;
      pressed.current = null;
      // The release after a long press opens nothing.
      if (wasLongPress.current) {
        wasLongPress.current = false;
        stop(event);
        return;
      }
      // A key press comes as a click without a pointer.
      const isByKey = event.detail === 0 || !press;
      if (!isByKey && distance(press, event) > PRESS_MOVES_MAX_PX) return;
      const userId = isByKey ? rowUserIdOf(event.target) : press.userId;
      if (userId === null) return;
      if (selecting || event.ctrlKey || event.metaKey || event.shiftKey) {
        stop(event);
        onToggle(userId, event.shiftKey);
        return;
      }
      // The browser saves the target of the link.
      if (event.altKey) return;
      stop(event);
      onOpen(userId);
    },
    /** A right click, the menu key, Shift+F10, and on some phones a long press. */
    onContextMenu(event: MouseEvent): void {
      const userId = rowUserIdOf(event.target);
      if (userId === null) return;
      event.preventDefault();
      if (isTouch.current && pressed.current) selectByLongPress(userId);
      else onMenu(userId, menuPlace(event));
    },
  };
}

/** The place of the menu: at the pointer, or at the row for a key, which has no place. */
function menuPlace({ clientX, clientY, target }: MouseEvent): Place {
  if (clientX !== 0 || clientY !== 0 || !(target instanceof Element)) return { x: clientX, y: clientY };
  const { left, bottom } = target.getBoundingClientRect();
  return { x: left + 16, y: bottom - 8 };
}
