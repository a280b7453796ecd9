import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { useUnreadCount } from '../../session/use-chat.ts';
import { UnreadBadge } from '../../thread/unread-badge.tsx';
import { useConversationUser } from '../conversation/use-conversation-user.ts';
import chat from '../../chat.module.css';
import classes from './columns.module.css';

export const tabIdOf = (userId: string): string => `inbox-tab-${userId}`;
export const panelIdOf = (userId: string): string => `inbox-panel-${userId}`;

type Props = {
  userIds: readonly string[];
  focusedId: string;
  onFocus: (userId: string) => void;
  onClose: (userId: string) => void;
};

/** Several open conversations where there is no space for columns. Arrow keys choose a tab, Delete closes it. */
export function ConversationTabs({ userIds, focusedId, onFocus, onClose }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const { name } = useConversationUser(focusedId);

  // A tab that was reached by its keys keeps the focus; the one that is gone leaves it to its neighbour.
  const movesFocus = useRef(false);
  useEffect(() => {
    const selected = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    selected?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
    if (movesFocus.current) selected?.focus();
    movesFocus.current = false;
  }, [focusedId]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const index = userIds.indexOf(focusedId);
    const last = userIds.length - 1;
    const targets: Partial<Record<string, number>> = {
      ArrowLeft: index === 0 ? last : index - 1,
      ArrowRight: index === last ? 0 : index + 1,
      Home: 0,
      End: last,
    };
    const target = userIds[targets[event.key] ?? -1];
    if (target === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    movesFocus.current = true;
    if (target === undefined) onClose(focusedId);
    else onFocus(target);
  }

  return (
    <div className={`${classes['tabs']} no-print`}>
      <div
        ref={list}
        role="tablist"
        aria-label="Percakapan yang terbuka"
        className={classes['tabList']}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {userIds.map((userId) => (
          <ConversationTab
            key={userId}
            userId={userId}
            isSelected={userId === focusedId}
            onSelect={() => onFocus(userId)}
          />
        ))}
      </div>
      <ActionIcon
        size={44}
        color="gray"
        aria-label={`Tutup percakapan dengan ${name}`}
        title="Tutup (Esc)"
        onClick={() => onClose(focusedId)}
      >
        <IconX size={20} aria-hidden />
      </ActionIcon>
    </div>
  );
}

function ConversationTab({
  userId,
  isSelected,
  onSelect,
}: {
  userId: string;
  isSelected: boolean;
  onSelect: () => void;
}) {
  const { name } = useConversationUser(userId);
  const unreadCount = useUnreadCount(userId);
  return (
    <button
      type="button"
      role="tab"
      id={tabIdOf(userId)}
      aria-selected={isSelected}
      // Only the panel of the selected tab is in the page.
      aria-controls={isSelected ? panelIdOf(userId) : undefined}
      tabIndex={isSelected ? 0 : -1}
      className={classes['tab']}
      onClick={onSelect}
    >
      <span className={chat['oneLine']}>{name}</span>
      <UnreadBadge count={unreadCount} />
    </button>
  );
}
