import { useWindowEvent } from '@mantine/hooks';

export type InboxShortcuts = {
  /** Opens the conversation above (-1) or below (1). `writing`: from the message field. @returns whether there was one */
  openNeighbour: (by: -1 | 1, writing: boolean) => boolean;
  close: () => void;
  focusSearch: () => void;
};

/** Whether an arrow key in a field moves between conversations: with Alt, or in an empty message field. */
function leavesField(event: KeyboardEvent, field: HTMLElement | null): boolean {
  if (event.altKey) return true;
  return field instanceof HTMLTextAreaElement && field.value === '';
}

/** The shortcuts of the inbox, wherever the focus is; the list handles its own arrow keys. */
export function useInboxShortcuts({ openNeighbour, close, focusSearch }: InboxShortcuts): void {
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return;
    const { key, target } = event;
    // A dialog or the menu is open.
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
