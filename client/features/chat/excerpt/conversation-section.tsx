import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery, queryOptions, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useCallback } from 'react';
import type { Message } from '#shared/api/chat/chat.ts';
import type { UnreadChanges } from '#shared/events.ts';
import { SERVER_TIME_ZONE, showDateShort } from '#client/lib/format.ts';
import { formatTime } from '#shared/domain/dates/date-labels.ts';
import { paths } from '#client/paths.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import { api } from '#client/lib/api/api.ts';
import { useServerEvent } from '#client/realtime/use-server-event.ts';
import { WaitingTime } from '../inbox/list/row-marks.tsx';
import { previewOf } from '../previews/message-preview.ts';
import { PreviewIcon } from '../previews/preview-icon.tsx';
import { UnreadBadge } from '../thread/unread-badge.tsx';
import { stateOf } from '../state/model/list-order.ts';

/** Loads the excerpt again when a message of this conversation was sent, read or deleted, or its state has changed. */
function useReloadExcerpt(userId: string): void {
  const queryClient = useQueryClient();
  const reload = useCallback(
    (payload: { user_id: string }) => {
      if (payload.user_id === userId) void queryClient.invalidateQueries({ queryKey: excerptKey(userId) });
    },
    [queryClient, userId],
  );
  useServerEvent('message:new', reload);
  const reloadOfMany = useCallback(({ changes }: UnreadChanges) => changes.forEach(reload), [reload]);
  useServerEvent('unread:changes', reloadOfMany);
  useServerEvent('conversation:deleted', reload);
  useServerEvent('conversation:state', reload);
}

type ExcerptUser = { id: string };

const MESSAGES_MAX = 4;

const excerptKey = (userId: string) => ['chat', 'excerpt', userId];

/** The last messages of a conversation, oldest first, and whether the user waits. Reading them marks nothing as read. */
const excerptQuery = ({ id }: ExcerptUser) =>
  queryOptions({
    queryKey: excerptKey(id),
    queryFn: async ({ signal }) => {
      const [history, summaries] = await Promise.all([
        api.get('/messages/conversation/{userId}', { params: { userId: id }, query: { limit: MESSAGES_MAX }, signal }),
        api.get('/messages/conversations', { query: { user_ids: id, limit: 1 }, signal }),
      ]);
      const summary = summaries.find(({ other_user }) => other_user.id === id);
      return {
        messages: history.messages,
        unreadCount: summary?.unread_count ?? 0,
        unansweredSince: summary && stateOf(summary) === 'waiting' ? summary.unanswered_since : null,
      };
    },
  });

function ExcerptItem({ message }: { message: Message }) {
  const { kind, from_admin, sender_name, createdAt } = message;
  const { text, icon } = previewOf(message);
  const sender = from_admin ? `${sender_name} (admin)` : sender_name;
  return (
    <li>
      <Text component="span" fz="sm" c="dimmed" display="block">
        <Text span inherit fw={600}>
          {kind === 'notice' ? `Pemberitahuan dari ${sender}` : sender}
        </Text>{' '}
        ·{' '}
        <time dateTime={createdAt}>
          {showDateShort(createdAt)} {formatTime(createdAt, SERVER_TIME_ZONE)}
        </time>
      </Text>
      <Text span lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
        <PreviewIcon kind={icon} />
        {text}
      </Text>
    </li>
  );
}

/** The last messages of a user's conversation, without marking them as read, and the way into the chat. */
export function ConversationSection({ user }: { user: ExcerptUser }) {
  const query = useQuery({ ...excerptQuery(user), placeholderData: keepPreviousData });
  const { data } = query;
  useReloadExcerpt(user.id);
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="percakapan">
      <Group gap="0.25rem 0.75rem">
        <Title order={2} fz="h3" id="percakapan">
          Percakapan
        </Title>
        {data ? <UnreadBadge count={data.unreadCount} /> : null}
        {data?.unansweredSince ? <WaitingTime since={data.unansweredSince} /> : null}
        <Anchor component={Link} to={paths.adminConversation(user.id)} fz="sm" ms="auto">
          Buka chat
        </Anchor>
      </Group>
      <QueryView
        query={query}
        failedText="Gagal memuat percakapan"
        loading={{ text: 'Memuat percakapan…', rows: 2, height: 16 }}
      >
        {({ messages }) =>
          messages.length === 0 ? (
            <Text c="dimmed" mt="xs">
              Belum ada pesan.
            </Text>
          ) : (
            <Stack component="ol" gap="sm" mt="sm" mb={0} p={0} style={{ listStyle: 'none' }}>
              {messages.map((message) => (
                <ExcerptItem key={message.id} message={message} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </Paper>
  );
}
