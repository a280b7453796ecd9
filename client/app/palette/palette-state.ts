import { atom } from 'jotai';

type Overlay = 'palette' | 'shortcuts' | null;

const overlayAtom = atom<Overlay>(null);
/** The element that had the focus when an overlay opened. The palette takes the focus before any effect runs. */
let opener: Element | null = null;

/** The overlay above the page of an admin: the palette, the list of keys, or null. */
export const openOverlayAtom = atom(
  (get) => get(overlayAtom),
  (get, set, next: Overlay) => {
    if (get(overlayAtom) === null && next !== null) opener = document.activeElement;
    set(overlayAtom, next);
  },
);

/** Puts the focus back where it was before an overlay opened. The dialogs do not, because they are mounted open. */
export function returnFocus(): void {
  if (opener instanceof HTMLElement) opener.focus();
}

/** The key that opens the palette together with K. */
export const MODIFIER_KEY = /Macintosh|Mac OS X/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Whether a key press opens the palette, and closes it again. */
export function isPaletteKey(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>,
): boolean {
  return event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
}
