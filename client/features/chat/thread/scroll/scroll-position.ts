/**
 * The place of a reader: the first message in view, and how far below the upper edge of the box it ends. Its end, because the
 * first message of a page loses its name and some space above it when the message before it comes.
 */
export type ScrollPosition = { key: string; endPx: number };

/** A smaller shift is ignored: a screen cannot scroll by less than one of its pixels. */
const MOVE_TOLERANCE_PX = 0.5;

const itemsOf = (box: HTMLElement): HTMLElement[] => [...box.querySelectorAll<HTMLElement>('[data-item]')];

function endOf(box: HTMLElement, item: HTMLElement): number {
  return item.getBoundingClientRect().bottom - box.getBoundingClientRect().top;
}

/** Reads the place; null without messages. Day labels do not count: they stand above another message after each older page. */
export function readScrollPosition(box: HTMLElement): ScrollPosition | null {
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
export function restoreScrollPosition(box: HTMLElement, { key, endPx }: ScrollPosition): boolean {
  const item = itemsOf(box).find(({ dataset }) => dataset['item'] === key);
  if (!item) return false;
  const movedPx = endOf(box, item) - endPx;
  if (Math.abs(movedPx) > MOVE_TOLERANCE_PX) box.scrollTop += movedPx;
  return true;
}
