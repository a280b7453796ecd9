import { Anchor, Button, Paper, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { IconFilePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { hintOf, messageOf } from '#client/lib/api-error.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { ErrorState } from '#client/ui/feedback/error-state.tsx';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { recordLabel } from '../display/record-labels.ts';
import { groupByObject, type ObjectRecords } from '../display/user-records/group-by-object.ts';
import { RecordRow, RecordRows } from '../display/user-records/record-row.tsx';
import classes from './of-user.module.css';
import { userRecordsQuery } from '../display/user-records/queries.ts';

/** All records of a user by object and year (docs/requirements.md R-USER-14). */
export function UserRecordsSection({ userId }: { userId: string }) {
  const { data, error, isFetching, refetch } = useQuery(userRecordsQuery(userId));
  const groups = groupByObject(data?.data ?? [], today());
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="data-pajak">
      <div className={classes['head']}>
        <Title order={2} fz="h3" id="data-pajak">
          Data PBB
        </Title>
        {data && data.total > 0 ? (
          <Anchor component={Link} to={paths.adminRecordsWhere({ user_id: userId })} fz="sm">
            Buka {formatNumber(data.total)} data di daftar
          </Anchor>
        ) : null}
      </div>
      {!data && error ? (
        <ErrorState
          title={messageOf(error, 'Gagal memuat data pajak')}
          description={hintOf(error)}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : null}
      {!data && !error ? (
        <Stack gap="sm" mt="sm">
          <VisuallyHidden component="output">Memuat data PBB…</VisuallyHidden>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} height={40} aria-hidden />
          ))}
        </Stack>
      ) : null}
      {data?.total === 0 ? (
        <EmptyState
          title="Belum ada data PBB"
          action={
            <Button
              component={Link}
              to={paths.adminRecordCreateFor(userId)}
              variant="light"
              leftSection={<IconFilePlus size={18} aria-hidden />}
            >
              Tambah yang pertama
            </Button>
          }
        />
      ) : null}
      {groups.map((group) => (
        <ObjectGroup key={group.sptNumber} group={group} />
      ))}
      {data && data.total > data.data.length ? (
        <Text c="dimmed" mt="md">
          {formatNumber(data.data.length)} data terbaru dari {formatNumber(data.total)}.
        </Text>
      ) : null}
    </Paper>
  );
}

function ObjectGroup({ group: { sptNumber, address, records, overdueCount } }: { group: ObjectRecords }) {
  return (
    <section className={classes['object']} aria-label={`${address}, ${sptNumber}`}>
      <p className={classes['objectHead']}>
        <span className={classes['address']}>{address}</span>
        <span className={classes['objectHint']}>
          {sptNumber} · {formatNumber(records.length)} tahun
          {overdueCount > 0 ? ` · ${formatNumber(overdueCount)} menunggak` : null}
        </span>
      </p>
      <RecordRows>
        {records.map((record) => (
          <RecordRow
            key={record.id}
            record={record}
            action={<MarkPaidButton record={record} />}
            title={
              <Anchor
                component={Link}
                to={paths.adminRecord(record.id)}
                fw={600}
                className="tabular"
                aria-label={recordLabel(record)}
              >
                {record.year}
              </Anchor>
            }
          />
        ))}
      </RecordRows>
    </section>
  );
}
