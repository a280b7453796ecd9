/**
 * Collects what our modules listen to on the window and the document, such as storage events of other tabs. The next file has
 * its own copies of the modules, and the copies of this one must not act on its events. Packages keep theirs, because
 * they are loaded once.
 * @returns removes the collected listeners
 */
export function collectListeners(): () => void {
  const undos: (() => void)[] = [];
  const targets: EventTarget[] = [window, document];
  for (const target of targets) {
    const add: EventTarget['addEventListener'] = Reflect.get(target, 'addEventListener');
    target.addEventListener = (...args) => {
      // Line 0 is the message, line 1 this function.
      const caller = new Error().stack?.split('\n')[2] ?? '';
      if (!caller.includes('/node_modules/')) undos.push(() => target.removeEventListener(...args));
      add.apply(target, args);
    };
    undos.push(() => {
      target.addEventListener = add;
    });
  }
  return () => {
    for (const undo of undos) undo();
  };
}
