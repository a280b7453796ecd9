import { Avatar } from '@mantine/core';
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { UnreadBadge } from '../unread-badge.tsx';
import { listTime } from './list-time.ts';
import classes from './list.module.css';
import { type PreviewText, previewOf } from './preview.ts';
import { useClock } from './use-clock.ts';
import { WaitingTime } from './waiting-time.tsx';

type Props = {
  summary: ConversationSummary;
  selfId: string;
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

function Preview({ text }: { text: PreviewText }) {
  return (
    <span className={classes['preview']} data-kind={text.kind}>
      {text.who ? <span className={classes['who']}>{text.who}: </span> : null}
      {text.what}
    </span>
  );
}

/** One conversation of the list: who, what last, and what is still to do. */
export function ConversationRow({ summary, selfId, to, selected, tabbable, online, typing, draft, ...on }: Props) {
  const { other_user, last_message, unread_count, unanswered_since } = summary;
  const name = other_user.name || 'Warga';
  const time = useClock((nowMs) => (last_message ? listTime(last_message.createdAt, nowMs) : ''));

  function onClick(event: MouseEvent): void {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    on.onOpen(other_user._id);
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
      onKeyDown={on.onKeyDown}
      onBlur={on.onBlur}
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
        <Preview text={previewOf(last_message, { selfId, typing, draft })} />
        <UnreadBadge count={unread_count} />
      </span>
      <span className={classes['line']}>
        <span className={classes['email']}>{other_user.email}</span>
        {unanswered_since ? <WaitingTime since={unanswered_since} /> : null}
      </span>
    </Link>
  );
}
