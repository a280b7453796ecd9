import { Anchor, Paper, SegmentedControl, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api/api-error.ts';
import { api } from '#client/lib/api/api.ts';
import { paths } from '#client/paths.ts';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { AuditList } from './audit-list.tsx';
import { deletedSubjectIds, SubjectLink } from './subject-link.tsx';

const ENTRIES_MAX = 5;

type Props = { user: { id: string; email: string } };

/** The newest audit entries about a user's account, or of what the user has done. */
export function UserAudit({ user }: Props) {
  const [role, setRole] = useState<'subject' | 'actor'>('subject');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['audit', 'user', user.id, role],
    queryFn: ({ signal }) =>
      api.get('/admin/audit', {
        query: { limit: ENTRIES_MAX, ...(role === 'subject' ? { subject_id: user.id } : { actor_id: user.id }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const deletedIds = deletedSubjectIds(data?.data ?? []);
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="riwayat-perubahan">
      <Title order={2} fz="h3" mb="xs" id="riwayat-perubahan">
        Riwayat perubahan
      </Title>
      <SegmentedControl
        fullWidth
        styles={{ label: { whiteSpace: 'normal' } }}
        size="sm"
        mb="md"
        aria-label="Riwayat perubahan"
        value={role}
        onChange={(value) => setRole(value === 'actor' ? 'actor' : 'subject')}
        data={[
          { value: 'subject', label: 'Akun ini' },
          { value: 'actor', label: 'Oleh orang ini' },
        ]}
      />
      {!data && error ? (
        <ErrorState
          title={messageOf(error, 'Gagal memuat riwayat perubahan')}
          description={hintOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : null}
      {!data && !error ? (
        <Stack gap="xs">
          <VisuallyHidden component="output">Memuat riwayat perubahan…</VisuallyHidden>
          <Skeleton height={16} aria-hidden />
          <Skeleton height={16} width="60%" aria-hidden />
        </Stack>
      ) : null}
      {data?.total === 0 ? <Text c="dimmed">Belum ada perubahan yang tercatat.</Text> : null}
      {data && data.total > 0 ? (
        <>
          <AuditList
            entries={data.data}
            {...(role === 'actor'
              ? { renderSubject: (entry) => <SubjectLink entry={entry} deletedIds={deletedIds} /> }
              : {})}
          />
          <Anchor
            component={Link}
            to={role === 'actor' ? paths.adminAuditBy(user.id) : paths.adminAuditAbout(user.email)}
            fz="sm"
            mt="sm"
            display="inline-block"
          >
            Lihat semua di Riwayat Perubahan
          </Anchor>
        </>
      ) : null}
    </Paper>
  );
}
