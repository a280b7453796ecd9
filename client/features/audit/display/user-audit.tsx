import { Anchor, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { api } from '#client/lib/api/api.ts';
import { paths } from '#client/paths.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { AuditEntry } from '#shared/api/audit.ts';
import { AuditList } from './audit-list.tsx';
import { deletedSubjectIds, SubjectLink } from './subject-link.tsx';

const ENTRIES_MAX = 5;

/** 'subject': entries about the account. 'actor': entries about what its user has done. */
type Role = 'subject' | 'actor';
type Props = { user: { id: string; email: string } };

/** The newest audit entries about a user's account, or of what the user has done. */
export function UserAudit({ user }: Props) {
  const [role, setRole] = useState<Role>('subject');
  const query = useQuery({
    queryKey: ['audit', 'user', user.id, role],
    queryFn: ({ signal }) =>
      api.get('/admin/audit', {
        query: { limit: ENTRIES_MAX, ...(role === 'subject' ? { subject_id: user.id } : { actor_id: user.id }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
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
      <QueryView
        query={query}
        failedText="Gagal memuat riwayat perubahan"
        loading={{ text: 'Memuat riwayat perubahan…', rows: 2, height: 16 }}
      >
        {({ data: entries }) =>
          entries.length === 0 ? (
            <Text c="dimmed">Belum ada perubahan yang tercatat.</Text>
          ) : (
            <>
              <UserEntries entries={entries} role={role} />
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
          )
        }
      </QueryView>
    </Paper>
  );
}

/** Entries about the account name no subject, because it is the user of the page. */
function UserEntries({ entries, role }: { entries: readonly AuditEntry[]; role: Role }) {
  if (role === 'subject') return <AuditList entries={entries} />;
  const deletedIds = deletedSubjectIds(entries);
  return (
    <AuditList entries={entries} renderSubject={(entry) => <SubjectLink entry={entry} deletedIds={deletedIds} />} />
  );
}
