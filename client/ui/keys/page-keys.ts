import { useEffect, useEffectEvent } from 'react';

type KeyHandler = (event: KeyboardEvent) => void;
type Options = {
  /** Also while the focus is in a text field. The handler then says which keys of a field it takes. */
  inFields?: boolean;
};

/** Overlays lie above the page and have keys of their own. A dialog that fades out still counts. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], dialog[aria-modal="true"]';
/** Layers take the focus when they open: also a panel that stands beside the page. */
const LAYERS = `${OVERLAYS}, dialog`;
const FIELDS = 'input:not([type="checkbox"], [type="radio"], [type="file"]), textarea, select, [contenteditable]';
/** Left to the browser while an overlay is on its way, such as F5. */
const FUNCTION_KEY = /^F\d+$/;

type Binding = { handle: KeyHandler; inFields: boolean };
type Hold = { cancel: () => void; isEnding: boolean; openBefore: ReadonlySet<Element> };

/** The newest binding gets a key first. */
const bindings: Binding[] = [];
/** Overlays that were asked for and are not there yet. */
const holds: Hold[] = [];
/** The overlays above the page at a key press. They may have closed before the page hears of it. */
const overlaysAtPress = new WeakMap<Event, Element[]>();
let listenerUsers = 0;

function remove<Item>(list: Item[], item: Item): void {
  const index = list.indexOf(item);
  if (index !== -1) list.splice(index, 1);
}

/** jsdom has no layout, so there everything counts as shown. */
function isShown(element: Element): boolean {
  return typeof element.checkVisibility !== 'function' || element.checkVisibility();
}

function findOpen(selector: string): Element[] {
  return [...document.querySelectorAll(selector)].filter(isShown);
}

/** Whether the focus is in a field that takes text, or in a list of choices. */
function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

/** The hold that keeps an event from the page. An opened overlay takes the keys once it has the focus. */
function findHoldFor({ target }: Event): Hold | undefined {
  const hold = holds.at(-1);
  if (!hold?.isEnding) return hold;
  const layer = target instanceof Element ? target.closest(LAYERS) : null;
  return layer && !hold.openBefore.has(layer) ? undefined : hold;
}

/** A dialog is drawn up to two frames after its code has come, and takes the focus in a task after that. */
function afterFocusMoved(run: () => void): void {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(run)));
}

/** Runs before every other listener, while the page still is as it was when the key was pressed. */
function onKeyFirst(event: KeyboardEvent): void {
  const hold = findHoldFor(event);
  if (!hold) {
    overlaysAtPress.set(event, findOpen(OVERLAYS));
    return;
  }
  event.stopImmediatePropagation();
  // With a modifier it is a key of the browser, or an edit, which `beforeinput` refuses.
  const isForBrowser = FUNCTION_KEY.test(event.key) || event.ctrlKey || event.metaKey || event.altKey;
  if (!isForBrowser) event.preventDefault();
  if (event.key !== 'Escape') return;
  remove(holds, hold);
  hold.cancel();
}

function onInputFirst(event: Event): void {
  if (findHoldFor(event)) event.preventDefault();
}

function onKeyLast(event: KeyboardEvent): void {
  if (overlaysAtPress.get(event)?.length || event.isComposing) return;
  const isInField = isTextField(event.target);
  for (const { handle, inFields } of bindings.toReversed()) {
    if (event.defaultPrevented) return;
    if (inFields || !isInField) handle(event);
  }
}

/** Listens until the last user of the keys is gone. */
export function listenToKeys(): () => void {
  listenerUsers += 1;
  if (listenerUsers === 1) {
    window.addEventListener('keydown', onKeyFirst, { capture: true });
    window.addEventListener('beforeinput', onInputFirst, { capture: true });
    window.addEventListener('keydown', onKeyLast);
  }
  let isListening = true;
  return () => {
    if (!isListening) return;
    isListening = false;
    listenerUsers -= 1;
    if (listenerUsers > 0) return;
    window.removeEventListener('keydown', onKeyFirst, { capture: true });
    window.removeEventListener('beforeinput', onInputFirst, { capture: true });
    window.removeEventListener('keydown', onKeyLast);
  };
}

/**
 * Binds keys that work wherever the focus is on the page (docs/requirements.md R-UI-26). They are silent while an overlay is open
 * or on its way. The newest binding gets a key first; `preventDefault` keeps it from the older ones.
 */
export function bindPageKeys(handle: KeyHandler, { inFields = false }: Options = {}): () => void {
  const binding = { handle, inFields };
  bindings.push(binding);
  const unlisten = listenToKeys();
  return () => {
    remove(bindings, binding);
    unlisten();
  };
}

/** As `bindPageKeys`, while the component is mounted and the keys are wanted. */
export function usePageKeys(
  handle: KeyHandler,
  { inFields = false, wanted = true }: Options & { wanted?: boolean } = {},
) {
  const handleNewest = useEffectEvent(handle);
  useEffect(() => {
    if (!wanted) return undefined;
    return bindPageKeys((event) => handleNewest(event), { inFields });
  }, [inFields, wanted]);
}

/**
 * For handlers of one element: whether a key press belongs to a menu or dialog above it that was open when it was pressed. React
 * hands the keys of a menu to the elements around its button, too.
 */
export function useIsOverlayKey(): (event: { nativeEvent: Event; currentTarget: Element }) => boolean {
  useEffect(listenToKeys, []);
  return ({ nativeEvent, currentTarget }) =>
    overlaysAtPress.get(nativeEvent)?.some((overlay) => !overlay.contains(currentTarget)) ?? false;
}

/**
 * Keeps all keys from the page until an overlay is there that was asked for. Escape calls `cancel`.
 * @returns gives the keys back: to the overlay at once, to the page once the focus has moved
 */
export function holdKeys(cancel: () => void): () => void {
  const hold: Hold = { cancel, isEnding: false, openBefore: new Set(findOpen(LAYERS)) };
  holds.push(hold);
  const unlisten = listenToKeys();
  return () => {
    hold.isEnding = true;
    afterFocusMoved(() => {
      remove(holds, hold);
      unlisten();
    });
  };
}
