import { usePageKeys } from '#client/ui/keys/page-keys.ts';

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
  usePageKeys(
    (event) => {
      const { code, ctrlKey, altKey, metaKey, shiftKey } = event;
      const number = DIGIT_KEY.exec(code)?.[1];
      if (number === undefined || ctrlKey === altKey || metaKey || shiftKey) return;
      // AltGr writes a character.
      if (event.getModifierState('AltGraph')) return;
      const index = Number(number) - 1;
      if (index >= 0 && index < count) focusColumn(index);
      else if (index === -1 && altKey) closeOthers();
      else return;
      event.preventDefault();
    },
    { inFields: true, wanted: count >= 2 },
  );
}
