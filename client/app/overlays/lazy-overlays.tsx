import { useNotifications } from '@mantine/notifications';
import { useAtomValue } from 'jotai';
import { type ConfirmRequest, confirmAtom } from '#client/ui/feedback/confirm.ts';
import { useLazyOverlay } from '#client/ui/page/use-lazy-overlay.ts';
import { useLazyComponent } from '#client/ui/page/use-lazy-component.ts';
import { loadOverlays } from './load-overlays.ts';

/** In the browser's own dialog. An upgrade of the server may have removed our code, and with it that of toasts. */
function askInBrowser({ title, message, content, answer }: ConfirmRequest): boolean {
  if (content !== undefined || (message !== undefined && typeof message !== 'string')) return false;
  answer(window.confirm([title, message].filter(Boolean).join('\n\n')));
  return true;
}

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
    onFailure: () => question !== null && askInBrowser(question),
  });
  const Component = toasts.Component ?? dialogs.Component;
  return Component ? <Component /> : null;
}
