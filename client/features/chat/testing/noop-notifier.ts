import type { Notifier } from '../notifications/notifier.ts';

/** Tells nobody anything. */
export function noopNotifier(): Notifier {
  const noop = (): void => {};
  return { incoming: noop, newer: noop, seen: noop, attend: noop, setListOnScreen: noop, stop: noop };
}
