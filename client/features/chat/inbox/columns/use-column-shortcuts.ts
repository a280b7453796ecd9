import { useWindowEvent } from '@mantine/hooks';

type ColumnShortcuts = {
  /** With one conversation the keys belong to the browser. */
  count: number;
  /** Moves the focus to a conversation, counted from 0 at the left. */
  focusColumn: (index: number) => void;
  closeOthers: () => void;
};

const DIGIT_KEY = /^Digit(\d)$/;

/**
 * Ctrl+1…4 and Alt+1…4 lead to a conversation, Alt+0 closes the others. Both, because a browser may keep one of them for its
 * tabs. By `code`, not by `key`: with Alt a key writes another character on some keyboards.
 */
export function useColumnShortcuts({ count, focusColumn, closeOthers }: ColumnShortcuts): void {
  useWindowEvent('keydown', (event) => {
    const { code, target, ctrlKey, altKey, metaKey, shiftKey } = event;
    const number = DIGIT_KEY.exec(code)?.[1];
    if (count < 2 || number === undefined || ctrlKey === altKey || metaKey || shiftKey) return;
    // AltGr writes a character, and a dialog lies above the conversations.
    if (event.getModifierState('AltGraph') || (target instanceof Element && target.closest('[role="dialog"]'))) return;
    const index = Number(number) - 1;
    if (index >= 0 && index < count) focusColumn(index);
    else if (index === -1 && altKey) closeOthers();
    else return;
    event.preventDefault();
  });
}
