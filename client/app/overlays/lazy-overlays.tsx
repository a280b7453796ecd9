import { useNotifications } from '@mantine/notifications';
import { useAtomValue } from 'jotai';
import { type ConfirmRequest, confirmAtom } from '#client/ui/feedback/confirm.ts';
import { useLazyOverlay } from '#client/ui/lazy/use-lazy-overlay.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import { loadOverlays } from './load-overlays.ts';

/**
 * In the browser's own dialogs: an upgrade of the server may have removed our code, and with it that of toasts. They show
 * text only, so a question with a form is answered with no.
 */
function askInBrowser({ title, message = '', content, confirmLabel, cancelLabel, answer }: ConfirmRequest): void {
  if (content === undefined && typeof message === 'string') {
    const choice = `OK: ${confirmLabel ?? 'Lanjut'}. Batal: ${cancelLabel ?? 'Batal'}.`;
    answer(window.confirm([title, message, choice].filter(Boolean).join('\n\n')));
  } else {
    window.alert(`${title}\n\nPertanyaan ini gagal dimuat. Muat ulang halaman ini, lalu ulangi.`);
    answer(false);
  }
}

/** Loads toasts and dialogs with the first of them; no page needs their code to be shown. */
export function LazyOverlays() {
  const { notifications, queue } = useNotifications();
  const question = useAtomValue(confirmAtom);
  const toasts = useLazyComponent(loadOverlays, {
    wanted: notifications.length + queue.length > 0,
    delayMs: 0,
  });
  const dialogs = useLazyOverlay(loadOverlays, {
    wanted: question !== null && toasts.Component === null,
    failure: 'Pertanyaan gagal dimuat',
    onCancel: () => question?.answer(false),
    onFailure: () => question && askInBrowser(question),
  });
  const Component = toasts.Component ?? dialogs.Component;
  return Component ? <Component /> : null;
}
