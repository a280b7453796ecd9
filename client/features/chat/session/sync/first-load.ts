import { type ChatStore, mayLoadAtom } from '../state.ts';

/** A socket is connected within this time on a usual network; on a weak one the page waits no longer for it. */
export const FIRST_LOAD_WAIT_MS = 500;

/**
 * Delays the first load until the socket is connected, for half a second at most. Only an answer that was requested after the
 * connect is sure to hold every message of which no event comes; one requested before has to be requested again.
 */
export function createFirstLoad(store: ChatStore, load: () => void) {
  let isOpen = false;
  function open(): void {
    clearTimeout(timer);
    isOpen = true;
    store.set(mayLoadAtom, true);
  }
  const timer = setTimeout(() => {
    open();
    load();
  }, FIRST_LOAD_WAIT_MS);

  return {
    /** Whether what comes on the screen is loaded at once. */
    isOpen: (): boolean => isOpen,
    /** Everything on the screen is about to be loaded anyway. */
    open,
    stop: (): void => clearTimeout(timer),
  };
}
