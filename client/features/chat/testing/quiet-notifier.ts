import type { Notifier } from '../notifications/notifier.ts';

/** Tells nobody anything. */
export function quietNotifier(): Notifier {
  const nothing = (): void => {};
  return { incoming: nothing, newer: nothing, seen: nothing, attend: nothing, setListOnScreen: nothing, stop: nothing };
}
