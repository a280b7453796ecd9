import { useNotifications } from '@mantine/notifications';
import { useAtomValue } from 'jotai';
import { confirmAtom } from '#client/ui/feedback/confirm.ts';
import { useLazyOverlay } from '#client/ui/page/use-lazy-overlay.ts';
import { useLazyComponent } from '#client/ui/page/use-lazy-component.ts';
import { loadOverlays } from './load-overlays.ts';

/** Loads toasts and dialogs with the first of them; no page needs their code to be shown. */
export function LazyOverlays() {
  const { notifications, queue } = useNotifications();
  const question = useAtomValue(confirmAtom);
  const toasts = useLazyComponent(loadOverlays, 'Pemberitahuan belum dapat dimuat', {
    wanted: notifications.length + queue.length > 0,
    delayMs: 0,
  });
  const dialogs = useLazyOverlay(loadOverlays, {
    wanted: question !== null && toasts.Component === null,
    failure: 'Pertanyaan gagal dimuat',
    onCancel: () => question?.answer(false),
  });
  const Component = toasts.Component ?? dialogs.Component;
  return Component ? <Component /> : null;
}
