import { notificationsStore } from '@mantine/notifications';
import { useEffect, useEffectEvent } from 'react';

/** From the top of the window and, on wider screens, from its right, in pixels; `name` is for what stylesheets do besides. */
export type ToastPlace = { top: number; right: number; name?: string };

/**
 * Puts the toasts at the top while a page is open whose lower right they would cover (R-UI-9).
 * @param place asked at each toast; null leaves them where they are
 */
export function useToastPlace(place: () => ToastPlace | null): void {
  const currentPlace = useEffectEvent(place);
  useEffect(() => {
    const root = document.documentElement;
    const unsubscribe = notificationsStore.subscribe(() => {
      const wanted = currentPlace();
      if (!wanted) return;
      root.style.setProperty('--toast-top', `${wanted.top}px`);
      root.style.setProperty('--toast-right', `${wanted.right}px`);
      root.dataset['toasts'] = wanted.name ?? 'top';
    });
    return () => {
      unsubscribe();
      delete root.dataset['toasts'];
      root.style.removeProperty('--toast-top');
      root.style.removeProperty('--toast-right');
    };
  }, []);
}
