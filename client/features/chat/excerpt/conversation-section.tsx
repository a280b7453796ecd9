import { Anchor, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Message } from '#shared/api/chat.ts';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { SERVER_TIME_ZONE, showDateShort } from '#client/lib/format.ts';
import { formatTime } from '#shared/domain/date-labels.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { WaitingTime } from '../inbox/list/row-marks.tsx';
import { previewOf } from '../previews/message-preview.ts';
import { PreviewIcon } from '../previews/preview-icon.tsx';
import { UnreadBadge } from '../thread/unread-badge.tsx';
import classes from './conversation-section.module.css';
import { type ExcerptUser, excerptQuery } from './excerpt-query.ts';
import { useReloadExcerpt } from './use-reload-excerpt.ts';

function ExcerptItem({ message }: { message: Message }) {
  const { kind, from_admin, sender_name, createdAt } = message;
  const { text, icon } = previewOf(message);
  const sender = from_admin ? `${sender_name} (admin)` : sender_name;
  return (
    <li>
      <Text component="span" fz="sm" c="dimmed" display="block">
        <span className={classes['sender']}>{kind === 'notice' ? `Pemberitahuan dari ${sender}` : sender}</span> ·{' '}
        <time dateTime={createdAt}>
          {showDateShort(createdAt)} {formatTime(createdAt, SERVER_TIME_ZONE)}
        </time>
      </Text>
      <span className={classes['content']}>
        <PreviewIcon kind={icon} />
        {text}
      </span>
    </li>
  );
}

/** The last messages of a user's conversation, without marking them as read, and the way into the chat. */
export function ConversationSection({ user }: { user: ExcerptUser }) {
  const { data, error, isFetching, refetch } = useQuery({ ...excerptQuery(user), placeholderData: keepPreviousData });
  useReloadExcerpt(user.id);
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="percakapan">
      <div className={classes['head']}>
        <Title order={2} fz="h3" id="percakapan">
          Percakapan
        </Title>
        {data ? <UnreadBadge count={data.unreadCount} /> : null}
        {data?.unansweredSince ? <WaitingTime since={data.unansweredSince} /> : null}
        <Anchor component={Link} to={paths.adminConversation(user.id)} fz="sm" className={classes['open'] ?? ''}>
          Buka chat
        </Anchor>
      </div>
      {!data && error ? (
        <ErrorState
          title={messageOf(error, 'Gagal memuat percakapan')}
          description={hintOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : null}
      {!data && !error ? (
        <Stack gap="xs" mt="sm">
          <VisuallyHidden component="output">Memuat percakapan…</VisuallyHidden>
          <Skeleton height={16} aria-hidden />
          <Skeleton height={16} width="70%" aria-hidden />
        </Stack>
      ) : null}
      {data?.messages.length === 0 ? (
        <Text c="dimmed" mt="xs">
          Belum ada pesan.
        </Text>
      ) : null}
      {data && data.messages.length > 0 ? (
        <ol className={classes['messages']}>
          {data.messages.map((message) => (
            <ExcerptItem key={message.id} message={message} />
          ))}
        </ol>
      ) : null}
    </Paper>
  );
}
