import { type RefObject, useEffect, useLayoutEffect, useRef, useState, Component, type ReactNode } from 'react';
import { bindSizeChange } from '#client/ui/screen/observe-size.ts';
import { AT_BOTTOM_PX } from '#shared/limits.ts';

type BeforeUpdateProps = { onBeforeUpdate: () => void; children: ReactNode };

/**
 * Calls back after React has prepared an update and before it changes the page. Hooks cannot do that: they run while the update
 * is prepared, when the reader may still scroll, or after the change.
 */
export class BeforeUpdate extends Component<BeforeUpdateProps> {
  override getSnapshotBeforeUpdate(): null {
    this.props.onBeforeUpdate();
    return null;
  }

  /** React asks for it beside `getSnapshotBeforeUpdate`. */
  override componentDidUpdate(): void {}

  override render(): ReactNode {
    return this.props.children;
  }
}

/**
 * The place of a reader: the first message in view, and how far below the upper edge of the box it ends. Its end, because the
 * first message of a page loses its name and some space above it when the message before it comes.
 */
type ScrollPosition = { key: string; endPx: number };

/** A smaller shift is ignored: a screen cannot scroll by less than one of its pixels. */
const MOVE_TOLERANCE_PX = 0.5;

const itemsOf = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>('[data-item]')];

function endOf(box: HTMLElement, item: HTMLElement): number {
  return item.getBoundingClientRect().bottom - box.getBoundingClientRect().top;
}

/** Reads the place; null without messages. Day labels do not count: they stand above another message after each older page. */
function readScrollPosition(box: HTMLElement): ScrollPosition | null {
  const items = itemsOf(box);
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item && endOf(box, item) <= 0) low = middle + 1;
    else high = middle;
  }
  const item = items[low];
  const key = item?.dataset['item'];
  return item && key !== undefined ? { key, endPx: endOf(box, item) } : null;
}

/**
 * Scrolls so that the message stands where it stood, whatever was added or removed around it.
 * @returns whether the message is still there
 */
function restoreScrollPosition(box: HTMLElement, { key, endPx }: ScrollPosition): boolean {
  const item = itemsOf(box).find(({ dataset }) => dataset['item'] === key);
  if (!item) return false;
  const movedPx = endOf(box, item) - endPx;
  if (Math.abs(movedPx) > MOVE_TOLERANCE_PX) box.scrollTop += movedPx;
  return true;
}

export type ThreadScrollOptions = {
  /** Whether the newest message is in the page. */
  hasNewest: boolean;
  /** The reader has left the end. */
  onLeaveEnd: () => void;
  /** The reader is at the end. */
  onReachEnd: () => void;
  /** The reader comes near the first message in the page. */
  onNearTop: () => void;
  /** The reader comes near the last message in the page. */
  onNearEnd: () => void;
};

/** Near an edge of what is drawn more is drawn or requested, so that it is there before the reader sees the edge. */
const NEAR_EDGE_PX = 400;

/**
 * Keeps a conversation at its end while the user is there (within 48 px), and in place while the user reads further up. This
 * holds for messages that are added or removed above or below and for a box that changes its size. Messages need
 * `data-item={key}`; `beforeUpdate` has to be called before each change of the page (BeforeUpdate).
 */
export function useThreadScroll(box: RefObject<HTMLDivElement | null>, options: ThreadScrollOptions) {
  const [atBottom, setAtBottom] = useState(true);
  const sticksToBottom = useRef(true);
  const position = useRef<ScrollPosition | null>(null);
  /** The scroll position after the last restore; another value means that the user has scrolled. */
  const knownScrollTop = useRef(0);
  const scrollsUp = useRef(false);

  function beforeUpdate(): void {
    const element = box.current;
    if (!element) return;
    // The old position stays while the user does not scroll; a fresh one would add up rounding errors.
    if (element.scrollTop === knownScrollTop.current && position.current) return;
    position.current = readScrollPosition(element);
  }

  function restore(): void {
    const element = box.current;
    if (!element) return;
    if (sticksToBottom.current) element.scrollTop = element.scrollHeight;
    else if (position.current && !restoreScrollPosition(element, position.current)) position.current = null;
    knownScrollTop.current = element.scrollTop;
  }

  function setSticks(sticks: boolean): void {
    if (sticks !== sticksToBottom.current) {
      if (sticks) options.onReachEnd();
      else options.onLeaveEnd();
    }
    sticksToBottom.current = sticks;
    if (sticks) position.current = null;
    setAtBottom(sticks);
  }

  /** Asks for more near an edge, but only in the direction in which the user moves: a high screen is near both edges. */
  function checkEdges(): void {
    const element = box.current;
    // Nothing to measure: hidden, or not laid out yet.
    if (!element || element.scrollHeight === 0) return;
    const belowPx = element.scrollHeight - element.scrollTop - element.clientHeight;
    // A user at the very top cannot scroll up any more to ask for older messages; the same holds below.
    if (element.scrollTop <= 0 && belowPx >= NEAR_EDGE_PX) scrollsUp.current = true;
    else if (belowPx <= 0 && element.scrollTop >= NEAR_EDGE_PX) scrollsUp.current = false;
    if (options.hasNewest && belowPx <= AT_BOTTOM_PX && !sticksToBottom.current) setSticks(true);
    // At the end, being near the top means that there is too little to scroll.
    if (element.scrollTop < NEAR_EDGE_PX && (scrollsUp.current || sticksToBottom.current)) options.onNearTop();
    if (belowPx < NEAR_EDGE_PX && !scrollsUp.current && !options.hasNewest) options.onNearEnd();
  }

  function onScroll(): void {
    const element = box.current;
    if (!element) return;
    const movedPx = element.scrollTop - knownScrollTop.current;
    if (movedPx !== 0) scrollsUp.current = movedPx < 0;
    const belowPx = element.scrollHeight - element.scrollTop - element.clientHeight;
    setSticks(options.hasNewest && belowPx <= AT_BOTTOM_PX);
    if (movedPx !== 0 && !sticksToBottom.current) position.current = readScrollPosition(element);
    knownScrollTop.current = element.scrollTop;
    checkEdges();
  }

  /** To the newest message. */
  function scrollToBottom(): void {
    scrollsUp.current = false;
    options.onReachEnd();
    sticksToBottom.current = true;
    position.current = null;
    setAtBottom(true);
    restore();
  }

  /** Puts a message into the middle of the box. */
  function showMessage(messageId: string): void {
    const element = box.current;
    const item = element?.querySelector<HTMLElement>(`[data-message="${messageId}"]`);
    if (!element || !item) return;
    const { top, height } = item.getBoundingClientRect();
    const aboveIt = Math.max(0, (element.clientHeight - height) / 2);
    sticksToBottom.current = false;
    element.scrollTop += top - element.getBoundingClientRect().top - aboveIt;
    knownScrollTop.current = element.scrollTop;
    position.current = readScrollPosition(element);
    const belowPx = element.scrollHeight - element.scrollTop - element.clientHeight;
    setSticks(options.hasNewest && belowPx <= AT_BOTTOM_PX);
    item.focus({ preventScroll: true });
  }

  useLayoutEffect(() => {
    restore();
    checkEdges();
  });
  // The observers below are made once, but must use what the last render knows.
  const latest = useRef({ restore, checkEdges });
  useLayoutEffect(() => {
    latest.current = { restore, checkEdges };
  });
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const sized = element.firstElementChild ? [element, element.firstElementChild] : [element];
    // At once, so that the messages stay where they are; what else follows may change sizes again.
    const observer = new ResizeObserver(() => latest.current.restore());
    for (const one of sized) observer.observe(one);
    const unbind = bindSizeChange(sized, () => latest.current.checkEdges());
    return () => {
      observer.disconnect();
      unbind();
    };
    // The box and its content are the same elements as long as this is mounted.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return { atBottom, onScroll, beforeUpdate, scrollToBottom, showMessage };
}
