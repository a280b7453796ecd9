import { useWindowEvent } from '@mantine/hooks';

/** Ctrl+Shift+F opens the search over all messages, also from a message field. */
export function useMessageSearchKeys(open: () => void): void {
  useWindowEvent('keydown', (event) => {
    const { key, ctrlKey, metaKey, shiftKey, altKey, target } = event;
    if (key.toLowerCase() !== 'f' || !(ctrlKey || metaKey) || !shiftKey || altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest('[role="dialog"]')) return;
    event.preventDefault();
    open();
  });
}
