import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { AT_BOTTOM_PX } from '#shared/limits.ts';

type Anchor = { key: string; offset: number };

/** The largest shift that is ignored: zoomed screens round positions. */
const MOVE_TOLERANCE_PX = 0.5;

function itemsOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[data-item]')];
}

function offsetOf(box: HTMLElement, item: HTMLElement): number {
  return item.getBoundingClientRect().top - box.getBoundingClientRect().top;
}

/** The first visible item and its position; a binary search, because there may be thousands. */
function anchorOf(box: HTMLElement): Anchor | null {
  const items = itemsOf(box);
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item && offsetOf(box, item) + item.offsetHeight <= 0) low = middle + 1;
    else high = middle;
  }
  const item = items[low];
  return item?.dataset['item'] ? { key: item.dataset['item'], offset: offsetOf(box, item) } : null;
}

/**
 * Keeps a conversation at its end while the user is there (within 48 px), and in place while the user reads further up. This
 * holds for messages that are added above or below and for a box that changes its size. Items need `data-item={key}`.
 */
export function useStickyScroll(box: RefObject<HTMLDivElement | null>) {
  const [atBottom, setAtBottom] = useState(true);
  const sticksToBottom = useRef(true);
  const anchor = useRef<Anchor | null>(null);

  function restorePosition(): void {
    const element = box.current;
    if (!element) return;
    if (sticksToBottom.current) element.scrollTop = element.scrollHeight;
    else if (anchor.current) {
      const item = element.querySelector<HTMLElement>(`[data-item="${CSS.escape(anchor.current.key)}"]`);
      const moved = item ? offsetOf(element, item) - anchor.current.offset : 0;
      if (Math.abs(moved) > MOVE_TOLERANCE_PX) element.scrollTop += moved;
    }
  }

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    sticksToBottom.current = element.scrollHeight - element.scrollTop - element.clientHeight <= AT_BOTTOM_PX;
    anchor.current = sticksToBottom.current ? null : anchorOf(element);
    setAtBottom(sticksToBottom.current);
  }

  function scrollToBottom(): void {
    sticksToBottom.current = true;
    anchor.current = null;
    setAtBottom(true);
    restorePosition();
  }

  // After every render the visible item stays in place, whatever has changed.
  useLayoutEffect(restorePosition);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(restorePosition);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
    // The box and its content are the same elements as long as this is mounted.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return { atBottom, onScroll, toBottom: scrollToBottom };
}
