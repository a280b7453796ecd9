import type { Notifier } from '../notifications/notifier.ts';

/** A notifier that does nothing. */
export function noopNotifier(): Notifier {
  const noop = (): void => {};
  return { incoming: noop, newer: noop, seen: noop, setReading: noop, setListOnScreen: noop, stop: noop };
}
