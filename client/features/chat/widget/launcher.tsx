import { ActionIcon } from '@mantine/core';
import { IconMessageCircle } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { badgeText } from '../state/selectors.ts';
import classes from './launcher.module.css';

type Props = {
  /** Clicked, and the panel is still loading. */
  loading: boolean;
  unreadCount: number;
  onClick: () => void;
  ref: RefObject<HTMLButtonElement | null>;
};

/** The button that opens the chat. It has one place on every page and covers nothing there (docs/requirements.md R-CHAT-16). */
export function Launcher({ loading, unreadCount, onClick, ref }: Props) {
  return (
    <ActionIcon
      ref={ref}
      className={`${classes['launcher']} no-print`}
      data-chat-launcher
      size={56}
      radius="xl"
      variant="filled"
      aria-label={unreadCount > 0 ? `Buka Live Chat, ${unreadCount} pesan belum dibaca` : 'Buka Live Chat'}
      aria-expanded={false}
      loading={loading}
      onClick={onClick}
    >
      <IconMessageCircle size={28} aria-hidden />
      {unreadCount > 0 ? (
        <span className={classes['badge']} aria-hidden>
          {badgeText(unreadCount)}
        </span>
      ) : null}
    </ActionIcon>
  );
}
