import { usePageKeys } from '#client/ui/keys/page-keys.ts';

export type InboxShortcuts = {
  /** Opens the conversation above (-1) or below (1). `writing`: from the message field. @returns whether there was one */
  openNeighbour: (by: -1 | 1, writing: boolean) => boolean;
  close: () => void;
  focusSearch: () => void;
  /** Puts the focus into the message field of the open conversation, if there is one. */
  focusField: () => void;
};

/** Elements that use the arrow keys themselves, for example to scroll the messages. */
const ARROW_KEY_USERS = '[role="log"], [role="listbox"], select';

/**
 * Whether an arrow key moves between conversations: with Alt, in an empty message field, or where nothing else needs it.
 */
function movesBetweenConversations({ altKey, target }: KeyboardEvent, field: HTMLElement | null): boolean {
  if (altKey) return true;
  if (field) return field instanceof HTMLTextAreaElement && field.value === '';
  return !(target instanceof Element && target.closest(ARROW_KEY_USERS));
}

/** The page itself, its heading, and the messages as a whole: nothing there takes a letter. */
const LETTERLESS = 'body, h1, [role="log"]';

/** Whether a key begins a text that would otherwise be lost. '/' and '?' are shortcuts, the space bar scrolls. */
function beginsText({ key, altKey, target }: KeyboardEvent): boolean {
  if (key.length !== 1 || altKey || key === '/' || key === '?' || key === ' ') return false;
  return target instanceof Element && target.matches(LETTERLESS);
}

/** The shortcuts of the inbox, wherever the focus is; the list handles its own arrow keys. */
export function useInboxShortcuts({ openNeighbour, close, focusSearch, focusField }: InboxShortcuts): void {
  usePageKeys(
    (event) => {
      if (event.ctrlKey || event.metaKey) return;
      const { key, target } = event;
      // The arrows up and down would move the filter, which left and right do too.
      const isFilter = target instanceof HTMLInputElement && target.type === 'radio';
      const isField = (target instanceof HTMLInputElement && !isFilter) || target instanceof HTMLTextAreaElement;
      const field = isField ? target : null;
      if (key === 'Escape') close();
      else if (key === '/' && !field) {
        event.preventDefault();
        focusSearch();
      } else if ((key === 'ArrowUp' || key === 'ArrowDown') && movesBetweenConversations(event, field)) {
        if (isFilter) event.preventDefault();
        if (openNeighbour(key === 'ArrowUp' ? -1 : 1, field instanceof HTMLTextAreaElement)) event.preventDefault();
      } else if (beginsText(event)) focusField();
    },
    { inFields: true },
  );
}

/** Ctrl+Shift+F opens the search over all messages, also from a message field. */
export function useMessageSearchKeys(open: () => void): void {
  usePageKeys(
    (event) => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
      if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || !shiftKey || altKey) return;
      event.preventDefault();
      open();
    },
    { inFields: true },
  );
}
