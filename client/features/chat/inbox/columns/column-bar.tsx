import { ActionIcon } from '@mantine/core';
import { IconArrowsMaximize, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useUnreadCount } from '../../session/use-chat.ts';
import { UnreadBadge } from '../../thread/unread-badge.tsx';
import { useConversationUser } from '../conversation/use-conversation-user.ts';
import classes from './columns.module.css';

type Props = {
  userId: string;
  /** From the left, beginning with 1: the number of its key. */
  number: number;
  onClose: () => void;
  onCloseOthers: () => void;
  /** At the left of the first column: a button that hides the list. */
  children?: ReactNode;
};

/** Above a conversation that stands beside others: its number, what is unread there, and the buttons of the column. */
export function ColumnBar({ userId, number, onClose, onCloseOthers, children }: Props) {
  const { name } = useConversationUser(userId);
  const unreadCount = useUnreadCount(userId);
  return (
    <div className={classes['bar']}>
      {children}
      <span className={classes['number']} title={`Alt+${number} atau Ctrl+${number}`}>
        {number}
      </span>
      {/* The head has the name too, but less space for it. */}
      <span className={classes['barName']} aria-hidden>
        {name}
      </span>
      <UnreadBadge count={unreadCount} />
      <ActionIcon
        size={32}
        color="gray"
        aria-label={`Hanya tampilkan percakapan dengan ${name}`}
        title="Hanya tampilkan ini (Alt+0)"
        onClick={onCloseOthers}
      >
        <IconArrowsMaximize size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size={32}
        color="gray"
        aria-label={`Tutup percakapan dengan ${name}`}
        title="Tutup (Esc)"
        onClick={onClose}
      >
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}
