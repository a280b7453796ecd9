import { useAtomValue } from 'jotai';
import { useSyncExternalStore } from 'react';
import { pushSupport, type PushSupport } from '../../notifications/push/push-support.ts';
import { isSubscribedAtom } from '../../notifications/push/subscription.ts';

/** `on`, `off`: this browser can have notifications. Else why it cannot. */
export type PushState = 'on' | 'off' | Exclude<PushSupport, 'ready'>;

const listeners = new Set<() => void>();

function subscribeToSupport(listener: () => void): () => void {
  listeners.add(listener);
  // No event reports a change in the browser's settings, but afterwards the page gets the focus.
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('focus', listener);
  };
}

/** After the browser has asked its person. */
export function reloadPushState(): void {
  for (const listener of listeners) listener();
}

/** Whether notifications are on in this browser, or why they cannot be (R-PUSH-62). */
export function usePushState(): PushState {
  const support = useSyncExternalStore(subscribeToSupport, pushSupport);
  const isSubscribed = useAtomValue(isSubscribedAtom);
  if (support !== 'ready') return support;
  return isSubscribed ? 'on' : 'off';
}
