import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatNumber, today } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { OwnStatistics } from '#shared/api/tax-records/statistics.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { UNPAID_LABEL } from '#shared/labels.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { CheckedLine } from '../display/checked-line.tsx';
import { isRecordOverdue } from '../display/due-date.tsx';
import { MarkPaidButton } from '../display/mark-paid/mark-paid-button.tsx';
import { RecordRow, RecordRows } from '../display/user-records/record-row.tsx';
import classes from './of-user.module.css';
import { userRecordsQuery, userStatisticsQuery } from '../display/user-records/queries.ts';

/** The sum and number of a user's overdue records, then those records (docs/requirements.md R-USER-14). */
export function OverdueSection({ userId }: { userId: string }) {
  const statistics = useQuery(userStatisticsQuery(userId));
  const { data: records } = useQuery(userRecordsQuery(userId));
  const date = today();
  const overdue = (records?.data ?? []).filter((record) => isRecordOverdue(record, date));

  return (
    <Paper component="section" withBorder p="lg" aria-labelledby="tunggakan">
      <Title order={2} fz="h3" id="tunggakan">
        Tunggakan
      </Title>
      <QueryView
        query={statistics}
        failedText="Gagal memuat statistik"
        loading={{ text: 'Memuat tunggakan…', rows: 2, height: 26 }}
      >
        {(data) => <Totals statistics={data} userId={userId} />}
      </QueryView>
      <OverdueRecords records={overdue} />
    </Paper>
  );
}

function Totals({ statistics, userId }: { statistics: OwnStatistics; userId: string }) {
  const { outstanding_amount, outstanding_records, unpaid_tax, unpaid_records, paid_tax, paid_records } = statistics;
  const isOwing = outstanding_records > 0;
  const owing = [
    `${formatNumber(outstanding_records)} data lewat jatuh tempo`,
    estimatedText(statistics.outstanding_estimated),
  ];
  return (
    <>
      <Group
        component="p"
        gap="0 0.75rem"
        align="baseline"
        mt="0.25rem"
        mb={0}
        fz="xl"
        fw={700}
        {...(isOwing ? { c: 'var(--mantine-color-red-light-color)' } : {})}
      >
        <Money amount={outstanding_amount} />
        <Text span fw={500}>
          {isOwing ? owing.filter(Boolean).join(', ') : 'Tidak ada tunggakan'}
        </Text>
      </Group>
      <dl className={classes['totals']}>
        <div>
          <dt>{UNPAID_LABEL}</dt>
          <dd>
            <Money amount={unpaid_tax} /> · {formatNumber(unpaid_records)} data
          </dd>
        </div>
        <div>
          <dt>Terbayar</dt>
          <dd>
            <Money amount={paid_tax} /> · {formatNumber(paid_records)} data
            <CheckedLine checked={statistics.checked} where={{ user_id: userId }} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function OverdueRecords({ records }: { records: readonly TaxRecord[] }) {
  if (records.length === 0) return null;
  return (
    <RecordRows label="Data yang menunggak">
      {records.map((record) => (
        <RecordRow
          key={record.id}
          record={record}
          hideStatus
          action={<MarkPaidButton record={record} />}
          title={
            <>
              <Anchor component={Link} to={paths.adminRecord(record.id)} fw={600}>
                {record.year} · {formatSptNumber(record.spt_number)}
              </Anchor>
              <Text component="span" display="block" fz="sm" c="dimmed" className={classes['cut'] ?? ''}>
                {record.status === 'proses' ? 'Diproses · ' : null}
                {record.address}
              </Text>
            </>
          }
        />
      ))}
    </RecordRows>
  );
}
