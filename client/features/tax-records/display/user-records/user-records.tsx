import { ActionIcon, Anchor, Group, Text } from '@mantine/core';
import { IconMessageShare } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { formatNumber, formatRupiah, today } from '#client/lib/format.ts';
import { estimatedText } from '#client/lib/sum-texts.ts';
import { paths } from '#client/paths.ts';
import { QueryView } from '#client/ui/list/query-view.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { isRecordOverdue } from '../due-date.tsx';
import { MarkPaidButton } from '../mark-paid/mark-paid-button.tsx';
import { recordLabel } from '../record-labels.ts';
import { userRecordsQuery } from './queries.ts';
import { RecordRow, RecordRows } from './record-row.tsx';

/** More than fits beside a conversation; the others stand in the list. */
const ROWS_MAX = 50;

/** The number of a user's records and of the overdue ones; undefined while it is not known. */
export function useUserRecordCounts(userId: string, enabled: boolean): { total: number; overdue: number } | undefined {
  const { data } = useQuery({ ...userRecordsQuery(userId), enabled });
  return data && { total: data.total, overdue: overdueOf(data.data).length };
}

function overdueOf(records: readonly TaxRecord[]): TaxRecord[] {
  const date = today();
  return records.filter((record) => isRecordOverdue(record, date));
}

function overdueText(overdue: readonly TaxRecord[]): string {
  const estimates = overdue.filter(({ amount_source }) => amount_source === 'estimate');
  const estimated = estimatedText({ count: estimates.length, amount: totalAmount(estimates) });
  const sum = `Tunggakan ${formatRupiah(totalAmount(overdue))} (${formatNumber(overdue.length)})`;
  return estimated === '' ? sum : `${sum}, ${estimated}`;
}

type Props = {
  userId: string;
  /** Puts a record into the conversation beside the list. */
  onShare?: ((record: TaxRecord) => void) | undefined;
};

/** The records of a user in a narrow place: the arrears, then the records with what is overdue first. */
export function UserRecords({ userId, onShare }: Props) {
  return (
    <QueryView
      query={useQuery(userRecordsQuery(userId))}
      failedText="Gagal memuat data pajak"
      loading={{ text: 'Memuat data PBB…', rows: 3, height: 56 }}
    >
      {({ data: records, total }) => (
        <LoadedRecords userId={userId} records={records} total={total} onShare={onShare} />
      )}
    </QueryView>
  );
}

type LoadedProps = Props & { records: readonly TaxRecord[]; total: number };

function LoadedRecords({ userId, records, total, onShare }: LoadedProps) {
  const overdue = overdueOf(records);
  const others = records.filter((record) => !overdue.includes(record));
  const shown = [...overdue, ...others].slice(0, ROWS_MAX);
  return (
    <>
      <Text fw={700} lh={1.4} {...(overdue.length > 0 ? { c: 'var(--mantine-color-red-light-color)' } : {})}>
        {overdue.length > 0 ? overdueText(overdue) : total === 0 ? 'Belum ada data PBB' : 'Tidak ada tunggakan'}
      </Text>
      {shown.length > 0 ? (
        <RecordRows label="Data PBB warga ini">
          {shown.map((record) => (
            <RecordRow
              key={record.id}
              record={record}
              action={
                <Group component="span" gap={4} wrap="nowrap">
                  {onShare ? (
                    <ActionIcon
                      color="gray"
                      title="Bagikan ke percakapan"
                      aria-label={`Bagikan ${recordLabel(record)}`}
                      onClick={() => onShare(record)}
                    >
                      <IconMessageShare size={20} aria-hidden />
                    </ActionIcon>
                  ) : null}
                  <MarkPaidButton record={record} />
                </Group>
              }
              title={
                <>
                  <YearLink record={record} />
                  <Text component="span" display="block" fz="sm" c="dimmed">
                    {formatSptNumber(record.spt_number)} · {record.address}
                  </Text>
                </>
              }
            />
          ))}
        </RecordRows>
      ) : null}
      {total === 0 ? (
        <Anchor component={Link} to={paths.adminRecordCreateFor(userId)} fz="sm">
          Tambah data PBB
        </Anchor>
      ) : (
        <Anchor component={Link} to={paths.adminRecordsWhere({ user_id: userId })} fz="sm">
          Buka {formatNumber(total)} data di daftar
        </Anchor>
      )}
    </>
  );
}

/** The year of a record, which leads to it, where a line beside it names the object. */
export function YearLink({ record }: { record: TaxRecord }) {
  return (
    <Anchor
      component={Link}
      to={paths.adminRecord(record.id)}
      fw={600}
      className="tabular"
      aria-label={recordLabel(record)}
    >
      {record.year}
    </Anchor>
  );
}
