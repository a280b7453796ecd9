import { atom, getDefaultStore, useAtomValue } from 'jotai';
import { useEffect } from 'react';

/** The place of a panel at the side of the page, or below it. The page makes room for it. */
export type Dock = 'side' | 'bottom';

/** The width of a panel at the side, as in the style sheets. */
export const DOCKED_WIDTH_EM = 24;

const dockAtom = atom<Dock | null>(null);

export function useDock(): Dock | null {
  return useAtomValue(dockAtom);
}

/** Docks a panel while `dock` is not null. Toasts are outside of the page, so they follow an attribute of the document. */
export function useDockedPanel(dock: Dock | null): void {
  useEffect(() => {
    if (dock === null) return undefined;
    const store = getDefaultStore();
    store.set(dockAtom, dock);
    document.documentElement.dataset['dock'] = dock;
    return () => {
      store.set(dockAtom, null);
      delete document.documentElement.dataset['dock'];
    };
  }, [dock]);
}
