import { Anchor, Box, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconFilePlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { groupBy } from '#client/lib/group-by.ts';
import { formatNumber, today } from '#client/lib/format.ts';
import { paths } from '#client/paths.ts';
import { EmptyState } from '#client/ui/feedback/empty-state.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { isRecordOverdue } from '../display/due-date.tsx';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { RecordRow, RecordRows } from '../display/user-records/record-row.tsx';
import { YearLink } from '../display/user-records/user-records.tsx';
import { userRecordsQuery } from '../display/user-records/queries.ts';

/** All records of a user by object and year (docs/requirements.md R-USER-14). */
export function UserRecordsSection({ userId }: { userId: string }) {
  const query = useQuery(userRecordsQuery(userId));
  const { data } = query;
  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="data-pajak">
      <Group justify="space-between" align="baseline" gap="0.25rem 1rem">
        <Title order={2} fz="h3" id="data-pajak">
          Data PBB
        </Title>
        {data && data.total > 0 ? (
          <Anchor component={Link} to={paths.adminRecordsWhere({ user_id: userId })} fz="sm">
            Buka {formatNumber(data.total)} data di daftar
          </Anchor>
        ) : null}
      </Group>
      <QueryView
        query={query}
        failedText="Gagal memuat data pajak"
        loading={{ text: 'Memuat data PBB…', rows: 3, height: 40 }}
      >
        {({ data: records, total }) =>
          total === 0 ? (
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
          ) : (
            <>
              {groupByObject(records, today()).map((group) => (
                <ObjectGroup key={group.sptNumber} group={group} />
              ))}
              {total > records.length ? (
                <Text c="dimmed" mt="md">
                  {formatNumber(records.length)} data terbaru dari {formatNumber(total)}.
                </Text>
              ) : null}
            </>
          )
        }
      </QueryView>
    </Paper>
  );
}

function ObjectGroup({ group: { sptNumber, address, records, overdueCount } }: { group: ObjectRecords }) {
  return (
    <Box component="section" mt="1.25rem" aria-label={`${address}, ${sptNumber}`}>
      <Group component="p" gap="0 0.75rem" align="baseline" m={0}>
        <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
        <Text span fz="sm" c="dimmed">
          {sptNumber} · {formatNumber(records.length)} tahun
          {overdueCount > 0 ? ` · ${formatNumber(overdueCount)} menunggak` : null}
        </Text>
      </Group>
      <RecordRows>
        {records.map((record) => (
          <RecordRow
            key={record.id}
            record={record}
            action={<MarkPaidButton record={record} />}
            title={<YearLink record={record} />}
          />
        ))}
      </RecordRows>
    </Box>
  );
}

/** A tax object with its records, newest year first. */
type ObjectRecords = { sptNumber: string; address: string; records: TaxRecord[]; overdueCount: number };

/** The SPT number identifies an object from year to year; people type it with different spaces and letters. */
const objectKey = ({ spt_number }: TaxRecord): string => formatSptNumber(spt_number).replace(/\s+/g, '').toLowerCase();

/** Groups records by their object: objects with overdue records first, then by address. @param date 'yyyy-mm-dd' */
export function groupByObject(records: readonly TaxRecord[], date: string): ObjectRecords[] {
  const newestFirst = records.toSorted((a, b) => b.year - a.year || b.created_at.localeCompare(a.created_at));
  const groups = groupBy(newestFirst, objectKey);
  return [...groups.values()]
    .flatMap((group) => {
      const [newest] = group;
      if (!newest) return [];
      const overdueCount = group.filter((record) => isRecordOverdue(record, date)).length;
      return [{ sptNumber: formatSptNumber(newest.spt_number), address: newest.address, records: group, overdueCount }];
    })
    .toSorted((a, b) => Number(b.overdueCount > 0) - Number(a.overdueCount > 0) || a.address.localeCompare(b.address));
}
