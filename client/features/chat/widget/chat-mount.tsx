import { ActionIcon } from '@mantine/core';
import { IconMessageCircleOff } from '@tabler/icons-react';
import { type ComponentType, useEffect, useState } from 'react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSession } from '#client/lib/session.ts';
import classes from './launcher.module.css';

/** The one connection also brings news of records; who mounts the chat decides what to do with them. */
export type ChatWidgetProps = { onRecordChange?: (() => void) | undefined };

/** The page itself comes first. */
const LOAD_DELAY_MS = 150;
const RETRY_MS = 5000;

/** Loads the chat's code beside the page and, on a bad line, again and again; it never takes the page down with it. */
function LazyWidget(props: ChatWidgetProps) {
  const [widget, setWidget] = useState<{ Component: ComponentType<ChatWidgetProps> } | null>(null);
  const [failures, setFailures] = useState(0);
  const [manualRetries, setManualRetries] = useState(0);

  useEffect(() => {
    if (widget) return undefined;
    let isUnmounted = false;
    async function load(): Promise<void> {
      try {
        const { ChatWidget } = await import('./chat-widget.tsx');
        if (!isUnmounted) setWidget({ Component: ChatWidget });
      } catch (error) {
        console.warn('Live Chat belum dapat dimuat', error);
        if (!isUnmounted) setFailures((count) => count + 1);
      }
    }
    const timer = setTimeout(() => void load(), failures === 0 || manualRetries > 0 ? LOAD_DELAY_MS : RETRY_MS);
    const onOnline = (): void => void load();
    window.addEventListener('online', onOnline);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      window.removeEventListener('online', onOnline);
    };
  }, [widget, failures, manualRetries]);

  if (widget) return <widget.Component {...props} />;
  if (failures === 0) return null;
  return (
    <ActionIcon
      className={`${classes['launcher']} no-print`}
      size={56}
      radius="xl"
      variant="filled"
      color="gray"
      aria-label="Live Chat gagal dimuat. Coba lagi"
      onClick={() => {
        setManualRetries((count) => count + 1);
        notify.error('Live Chat gagal dimuat', 'Periksa koneksi Anda, atau muat ulang halaman ini.');
      }}
    >
      <IconMessageCircleOff size={28} aria-hidden />
    </ActionIcon>
  );
}

/** The resident's chat on every page of the user area; not for administrators, nor where no user is stored (specification 2.3). */
export function ChatMount({ onRecordChange }: ChatWidgetProps) {
  const user = useSession()?.user;
  if (!user || user.is_admin) return null;
  return (
    <>
      {/* Room to scroll the last button of a page out from under the chat's own. */}
      <div className={`${classes['room']} no-print`} />
      <LazyWidget onRecordChange={onRecordChange} />
    </>
  );
}
