import { notificationsStore } from '@mantine/notifications';
import { type RefObject, useEffect } from 'react';

/**
 * Puts the toasts at the top of the messages of the last open conversation (R-UI-9): at the bottom they would cover the newest
 * message and the field.
 */
export function useToastPlace(conversations: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = document.documentElement;
    const unsubscribe = notificationsStore.subscribe(() => {
      const boxes = [...(conversations.current?.querySelectorAll('[role="log"]') ?? [])].map((log) =>
        log.getBoundingClientRect(),
      );
      const last = boxes.at(-1);
      if (!last) return;
      root.style.setProperty('--toast-top', `${Math.max(...boxes.map(({ top }) => top))}px`);
      root.style.setProperty('--toast-right', `${window.innerWidth - last.right}px`);
      root.dataset['toasts'] = 'top';
    });
    return () => {
      unsubscribe();
      delete root.dataset['toasts'];
      root.style.removeProperty('--toast-top');
      root.style.removeProperty('--toast-right');
    };
  }, [conversations]);
}
