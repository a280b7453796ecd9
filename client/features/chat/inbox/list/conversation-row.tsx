import { Avatar } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ConversationSummary } from '#shared/api/chat.ts';
import { chatDayLabel, formatTime } from '#shared/domain/date-labels.ts';
import { todayIn } from '#shared/domain/dates.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { UnreadBadge } from '../../thread/unread-badge.tsx';
import classes from './list.module.css';
import { useTimeSelector } from './use-time-selector.ts';
import { formatWaitingLong, formatWaitingShort, waitedMinutes, waitingLevel } from './waiting.ts';

type Props = {
  summary: ConversationSummary;
  currentUserId: string;
  to: { search: string };
  selected: boolean;
  tabbable: boolean;
  online: boolean;
  /** 'sedang mengetik…', with the name of an admin, or null. */
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

/** One conversation of the list: user, last message, unread count and waiting time. */
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
    // The browser opens new tabs and windows itself.
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
        <span className={classes['email']}>
          {other_user.is_active ? null : <span className={classes['inactive']}>Akun nonaktif · </span>}
          {other_user.email}
        </span>
        {unanswered_since ? <WaitingTime since={unanswered_since} /> : null}
      </span>
    </Link>
  );
}

/** The time of the last message: today the time of day, before that the day. */
function formatRowTime(iso: string, nowMs: number): string {
  const atMs = Date.parse(iso);
  const isToday = todayIn(SERVER_TIME_ZONE, atMs) === todayIn(SERVER_TIME_ZONE, nowMs);
  return isToday ? formatTime(iso, SERVER_TIME_ZONE) : chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE);
}

/** The line below the name; `kind` decides how it looks. */
type RowPreview = { kind: 'message' | 'typing' | 'draft' | 'empty'; author: string | null; text: string };

type RowPreviewContext = { currentUserId: string; typing: string | null; draft: string };

/** The most important line: a typing notice, else an unsent draft, else the last message and its sender. */
function rowPreview(last: ConversationSummary['last_message'], context: RowPreviewContext): RowPreview {
  if (context.typing) return { kind: 'typing', author: null, text: context.typing };
  if (context.draft.trim()) return { kind: 'draft', author: 'Draf', text: context.draft };
  if (!last) return { kind: 'empty', author: null, text: 'Belum ada pesan' };
  if (!last.from_admin) return { kind: 'message', author: null, text: last.content };
  return {
    kind: 'message',
    author: last.sender_id === context.currentUserId ? 'Anda' : last.sender_name,
    text: last.content,
  };
}

/** How long a user has waited for an answer; counts on by itself. */
export function WaitingTime({ since }: { since: string }) {
  const minutes = useTimeSelector((nowMs) => waitedMinutes(since, nowMs));
  const longText = formatWaitingLong(minutes);
  return (
    <span className={classes['waiting']} data-level={waitingLevel(minutes)} title={longText}>
      <IconClock size={13} stroke={2.2} aria-hidden />
      <span aria-hidden>{formatWaitingShort(minutes)}</span>
      <span className={classes['unseen']}>{longText}</span>
    </span>
  );
}
