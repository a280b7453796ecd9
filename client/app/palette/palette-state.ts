import { atom } from 'jotai';

/** What stands above the page of an admin: the palette, the list of keys, or nothing. */
export const openOverlayAtom = atom<'palette' | 'shortcuts' | null>(null);

/** The key that opens the palette together with K. */
export const MODIFIER_KEY = /Macintosh|Mac OS X/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
