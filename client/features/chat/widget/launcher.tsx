import { ActionIcon } from '@mantine/core';
import { IconMessageCircle, IconX } from '@tabler/icons-react';
import type { Ref } from 'react';
import { badgeText } from '../session/state.ts';
import classes from './launcher.module.css';

type Props = {
  open: boolean;
  /** Clicked, and the panel is still loading. */
  loading: boolean;
  unreadCount: number;
  panelId: string;
  onClick: () => void;
  ref: Ref<HTMLButtonElement>;
};

function launcherLabel(open: boolean, unreadCount: number): string {
  if (open) return 'Tutup Live Chat';
  return unreadCount > 0 ? `Buka Live Chat, ${unreadCount} pesan belum dibaca` : 'Buka Live Chat';
}

export function Launcher({ open, loading, unreadCount, panelId, onClick, ref }: Props) {
  const Icon = open ? IconX : IconMessageCircle;
  return (
    <ActionIcon
      ref={ref}
      className={`${classes['launcher']} no-print`}
      size={56}
      radius="xl"
      variant="filled"
      aria-label={launcherLabel(open, unreadCount)}
      aria-expanded={open}
      loading={loading}
      aria-controls={open ? panelId : undefined}
      onClick={onClick}
    >
      <Icon size={28} aria-hidden />
      {!open && unreadCount > 0 ? (
        <span className={classes['badge']} aria-hidden>
          {badgeText(unreadCount)}
        </span>
      ) : null}
    </ActionIcon>
  );
}
