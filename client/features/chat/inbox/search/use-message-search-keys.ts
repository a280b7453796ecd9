import { usePageKeys } from '#client/ui/keys/page-keys.ts';

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
