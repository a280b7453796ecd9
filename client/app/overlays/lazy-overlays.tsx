import { useNotifications } from '@mantine/notifications';
import { useAtomValue } from 'jotai';
import { confirmAtom } from '#client/ui/feedback/confirm.ts';
import { useLazyComponent } from '#client/ui/page/use-lazy-component.ts';
import { loadOverlays } from './load-overlays.ts';

/** Loads toasts and dialogs with the first of them; no page needs their code to be shown. */
export function LazyOverlays() {
  const { notifications, queue } = useNotifications();
  const hasQuestion = useAtomValue(confirmAtom) !== null;
  const wanted = hasQuestion || notifications.length + queue.length > 0;
  const { Component } = useLazyComponent(loadOverlays, 'Pemberitahuan belum dapat dimuat', { wanted, delayMs: 0 });
  return Component ? <Component /> : null;
}
