import { ActionIcon } from '@mantine/core';
import { IconMessageCircleOff } from '@tabler/icons-react';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSession } from '#client/lib/session/session.ts';
import { useLazyComponent } from '#client/ui/lazy/use-lazy-component.ts';
import classes from './launcher.module.css';

const loadChatWidget = async () => (await import('./chat-widget.tsx')).ChatWidget;

function LazyChatWidget() {
  const { Component, hasFailed, retry } = useLazyComponent(loadChatWidget);
  if (Component) return <Component />;
  if (!hasFailed) return null;
  return (
    <ActionIcon
      className={`${classes['launcher']} no-print`}
      data-chat-launcher
      size={56}
      radius="xl"
      variant="filled"
      color="gray"
      aria-label="Live Chat gagal dimuat. Coba lagi"
      onClick={() => {
        retry();
        notify.error('Live Chat gagal dimuat', 'Periksa koneksi Anda, atau muat ulang halaman ini.');
      }}
    >
      <IconMessageCircleOff size={28} aria-hidden />
    </ActionIcon>
  );
}

/** The user's chat on every page of the user area; not for admins, nor where no user is stored (R-CHAT-16). */
export function ChatMount() {
  const user = useSession()?.user;
  if (!user || user.is_admin) return null;
  return <LazyChatWidget />;
}
