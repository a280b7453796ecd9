import { Avatar } from '@mantine/core';
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { UnreadBadge } from '../unread-badge.tsx';
import { formatRowTime } from './list-time.ts';
import classes from './list.module.css';
import { type RowPreview, rowPreview } from './preview.ts';
import { useTimeSelector } from './use-time-selector.ts';
import { WaitingTime } from './waiting-time.tsx';

type Props = {
  summary: ConversationSummary;
  currentUserId: string;
  to: { search: string };
  selected: boolean;
  tabbable: boolean;
  online: boolean;
  /** 'sedang mengetik…' with who does, or nothing. */
  typing: string | null;
  draft: string;
  onOpen: (userId: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onBlur: (event: FocusEvent) => void;
};

function PreviewLine({ text: preview }: { text: RowPreview }) {
  return (
    <span className={classes['preview']} data-kind={preview.kind}>
      {preview.author ? <span className={classes['who']}>{preview.author}: </span> : null}
      {preview.text}
    </span>
  );
}

/** One conversation of the list: who, what last, and what is still to do. */
export function ConversationRow({
  summary,
  currentUserId,
  to,
  selected,
  tabbable,
  online,
  typing,
  draft,
  ...handlers
}: Props) {
  const { other_user, last_message, unread_count, unanswered_since } = summary;
  const name = other_user.name || 'Warga';
  const time = useTimeSelector((nowMs) => (last_message ? formatRowTime(last_message.createdAt, nowMs) : ''));

  function onClick(event: MouseEvent): void {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    handlers.onOpen(other_user._id);
  }

  return (
    <Link
      to={to}
      className={classes['row']}
      data-user-id={other_user._id}
      data-unread={unread_count > 0 || undefined}
      aria-current={selected ? 'true' : undefined}
      tabIndex={tabbable ? 0 : -1}
      draggable={false}
      onClick={onClick}
      onKeyDown={handlers.onKeyDown}
      onBlur={handlers.onBlur}
    >
      <span className={classes['face']}>
        <Avatar color="laut" radius="xl" size={44} aria-hidden>
          {name.trim().charAt(0).toUpperCase()}
        </Avatar>
        {online ? (
          <span className={classes['online']} title="Online">
            <span className={classes['unseen']}>Online</span>
          </span>
        ) : null}
      </span>
      <span className={classes['line']}>
        <span className={classes['name']}>{name}</span>
        <span className={`${classes['time']} tabular`}>{time}</span>
      </span>
      <span className={classes['line']}>
        <PreviewLine text={rowPreview(last_message, { currentUserId, typing, draft })} />
        <UnreadBadge count={unread_count} />
      </span>
      <span className={classes['line']}>
        <span className={classes['email']}>{other_user.email}</span>
        {unanswered_since ? <WaitingTime since={unanswered_since} /> : null}
      </span>
    </Link>
  );
}
