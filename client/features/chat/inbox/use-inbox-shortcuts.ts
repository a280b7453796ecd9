import { useWindowEvent } from '@mantine/hooks';

export type InboxShortcuts = {
  /** Up (-1) or down (1) between conversations. `writing`: from the message field. @returns whether there was one */
  openNeighbour: (by: -1 | 1, writing: boolean) => boolean;
  close: () => void;
  focusSearch: () => void;
};

/** What the arrow keys mean in a field: with Alt they lead away, and from an empty message, where they have nothing else to do. */
function leavesField(event: KeyboardEvent, field: HTMLElement | null): boolean {
  if (event.altKey) return true;
  return field instanceof HTMLTextAreaElement && field.value === '';
}

/** The desk's keys, wherever on the page the focus is; the list's own arrow keys are its own. */
export function useInboxShortcuts({ openNeighbour, close, focusSearch }: InboxShortcuts): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
    const { key, target } = event;
    // A question or the menu is open above the desk.
    if (target instanceof Element && target.closest('[role="dialog"]')) return;
    const field = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target : null;
    if (key === 'Escape') close();
    else if (key === '/' && !field) {
      event.preventDefault();
      focusSearch();
    } else if ((key === 'ArrowUp' || key === 'ArrowDown') && leavesField(event, field)) {
      if (openNeighbour(key === 'ArrowUp' ? -1 : 1, field instanceof HTMLTextAreaElement)) event.preventDefault();
    }
  });
}
