import { Avatar, Checkbox, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { ConversationSummary } from '#shared/api/chat/chat.ts';
import { chatDayLabel, formatTime } from '#shared/domain/dates/date-labels.ts';
import { todayIn } from '#shared/domain/dates/dates.ts';
import { SERVER_TIME_ZONE } from '#client/lib/format.ts';
import { emailText } from '#shared/domain/users/email-text.ts';
import { stateOf } from '../../state/model/list-order.ts';
import { type PreviewIconKind, previewOfLast } from '../../previews/message-preview.ts';
import { PreviewIcon } from '../../previews/preview-icon.tsx';
import { UnreadBadge } from '../../thread/unread-badge.tsx';
import { formatSnoozedUntil } from '../actions/snooze-times.ts';
import classes from './list.module.css';
import { ColleagueMarks, NoteCount, WaitingTime } from './row-marks.tsx';
import { useTimeSelector } from './use-time-selector.ts';

type Props = {
  summary: ConversationSummary;
  currentUserId: string;
  /** The search part of the address of the conversation. */
  search: string;
  /** Its conversation is open. */
  selected: boolean;
  /** It is open beside the selected one. */
  beside: boolean;
  /** Whether its check box is checked; null while no rows are being selected. */
  checked: boolean | null;
  tabbable: boolean;
  online: boolean;
  /** 'sedang mengetik…', with the name of an admin, or null. */
  typing: string | null;
  /** The names of colleagues who look at the conversation, and of those who write in it. */
  looking: string;
  writing: string;
  draft: string;
  /** A colleague's note for this admin was not opened yet. */
  hasNoteForMe: boolean;
};

function PreviewLine({ text: preview }: { text: RowPreview }) {
  return (
    <span className={classes['preview']} data-kind={preview.kind}>
      {preview.author ? <span className={classes['who']}>{preview.author}: </span> : null}
      <PreviewIcon kind={preview.icon ?? null} />
      {preview.text}
    </span>
  );
}

/**
 * One conversation of the list: user, last message, unread count, who handles it and how long its user waits. The list handles
 * its events. Only rows that have changed are drawn again, because on a busy day several messages come each second.
 */
export const ConversationRow = memo(function ConversationRow({
  summary,
  currentUserId,
  search,
  selected,
  beside,
  checked,
  tabbable,
  online,
  typing,
  looking,
  writing,
  draft,
  hasNoteForMe,
}: Props) {
  const { other_user, last_message, unread_count, unanswered_since } = summary;
  const name = other_user.name || 'Warga';
  const time = useTimeSelector((nowMs) => (last_message ? formatRowTime(last_message.createdAt, nowMs) : ''));
  const isWaiting = stateOf(summary) === 'waiting';

  return (
    <Link
      to={{ search }}
      className={classes['row']}
      data-user-id={other_user._id}
      data-unread={unread_count > 0 || undefined}
      data-beside={beside || undefined}
      data-checked={checked || undefined}
      data-handled={summary.claimed_by ? true : undefined}
      // A link cannot be checked.
      {...(checked === null ? {} : { role: 'checkbox', 'aria-checked': checked })}
      aria-current={selected ? 'true' : undefined}
      tabIndex={tabbable ? 0 : -1}
      draggable={false}
    >
      <span className={classes['face']}>
        {checked === null ? (
          <Avatar color="laut" radius="xl" size={44} aria-hidden>
            {name.trim().charAt(0).toUpperCase()}
          </Avatar>
        ) : (
          <span className={classes['check']} aria-hidden>
            <Checkbox.Indicator checked={checked} size="md" className={classes['box'] ?? ''} />
          </span>
        )}
        {online ? (
          <span className={classes['online']} title="Online">
            <span className={classes['unseen']}>Online</span>
          </span>
        ) : null}
      </span>
      <span className={classes['line']}>
        <span className={classes['person']} title={emailText(`${name} · ${other_user.email}`)}>
          <span className={classes['name']}>
            {name}
            {beside ? <span className={classes['unseen']}>, terbuka di samping</span> : null}
          </span>{' '}
          <span className={classes['email']}>{emailText(other_user.email)}</span>
        </span>
        <span className={classes['marks']}>
          <ColleagueMarks looking={looking} writing={writing} />
          <span className={`${classes['time']} tabular`}>{time}</span>
        </span>
      </span>
      <span className={classes['line']}>
        <PreviewLine text={rowPreview(last_message, { currentUserId, typing, draft })} />
        <span className={classes['marks']}>
          <NoteCount count={summary.note_count ?? 0} isForMe={hasNoteForMe} />
          <UnreadBadge count={unread_count} />
        </span>
      </span>
      <span className={classes['line']}>
        <RowState summary={summary} currentUserId={currentUserId} />
        {isWaiting && unanswered_since ? <WaitingTime since={unanswered_since} /> : null}
      </span>
    </Link>
  );
});

/** 'Akun nonaktif', 'Sari Wulandari menangani', 'ditunda s.d. Sen 08.00'. */
function RowState({ summary, currentUserId }: { summary: ConversationSummary; currentUserId: string }) {
  const { claimed_by, snoozed_until, other_user } = summary;
  const until = stateOf(summary) === 'snoozed' ? (snoozed_until ?? null) : null;
  const untilText = useTimeSelector((nowMs) => (until === null ? '' : formatSnoozedUntil(until, nowMs)));
  const holder = claimed_by && (claimed_by.id === currentUserId ? 'Anda' : claimed_by.name);
  const handling = [...(holder ? [`${holder} menangani`] : []), ...(until === null ? [] : [`ditunda ${untilText}`])];
  return (
    <span className={classes['rowState']} title={handling.join(' · ') || undefined}>
      {other_user.is_active ? null : (
        <Text span inherit c="var(--mantine-color-error)">
          Akun nonaktif
        </Text>
      )}
      {other_user.is_active || handling.length === 0 ? null : ' · '}
      {handling.join(' · ')}
    </span>
  );
}

/** The time of the last message: today the time of day, before that the day. */
function formatRowTime(iso: string, nowMs: number): string {
  const atMs = Date.parse(iso);
  const isToday = todayIn(SERVER_TIME_ZONE, atMs) === todayIn(SERVER_TIME_ZONE, nowMs);
  return isToday ? formatTime(iso, SERVER_TIME_ZONE) : chatDayLabel(atMs, nowMs, SERVER_TIME_ZONE);
}

/** The line below the name; `kind` decides how it looks. */
type RowPreview = {
  kind: 'message' | 'typing' | 'draft' | 'empty';
  author: string | null;
  text: string;
  icon?: PreviewIconKind;
};

type RowPreviewContext = { currentUserId: string; typing: string | null; draft: string };

/** The most important line: a typing notice, else an unsent draft, else the last message and its sender. */
function rowPreview(last: ConversationSummary['last_message'], context: RowPreviewContext): RowPreview {
  if (context.typing) return { kind: 'typing', author: null, text: context.typing };
  if (context.draft.trim()) return { kind: 'draft', author: 'Draf', text: context.draft };
  if (!last) return { kind: 'empty', author: null, text: 'Belum ada pesan' };
  const preview = previewOfLast(last);
  if (!last.from_admin) return { kind: 'message', author: null, ...preview };
  return {
    kind: 'message',
    author: last.sender_id === context.currentUserId ? 'Anda' : last.sender_name,
    ...preview,
  };
}
