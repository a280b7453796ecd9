import { RecordAmount } from '../../display/record-amount.tsx';
import { Anchor, Group, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import { AssessmentDifference } from '../../display/assessment-difference.tsx';
import { DueDate } from '../../display/due-date.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { recordSubtitle, recordTitle } from '../../display/record-labels.ts';
import { OwnRecordMenu, ViewButton } from './record-menu.tsx';
import classes from './record-list.module.css';

export type RowsProps = {
  records: readonly TaxRecord[];
  /** The record that was just edited. */
  editedId: string | null;
  onDelete: (record: TaxRecord) => void;
};

/** Records on wide screens. */
export function OwnRecordTable({ records, editedId, onDelete }: RowsProps) {
  return (
    <Paper withBorder className={classes['frame']}>
      <Table verticalSpacing="sm" horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Objek pajak dan nama</Table.Th>
            <Table.Th scope="col">Nomor SPT</Table.Th>
            <Table.Th scope="col">Tahun</Table.Th>
            <Table.Th scope="col">Jatuh tempo</Table.Th>
            <Table.Th scope="col" ta="right">
              Jumlah
            </Table.Th>
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col" ta="right">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr
              key={record.id}
              className={classes['row'] ?? ''}
              data-row
              data-edited={record.id === editedId || undefined}
            >
              <Table.Th scope="row" className={classes['name']}>
                <Anchor
                  component={Link}
                  to={paths.record(record.id)}
                  fw={600}
                  c="inherit"
                  className={classes['title'] ?? ''}
                >
                  {recordTitle(record)}
                </Anchor>
                <Text c="dimmed" fz="sm" fw={400} lineClamp={2}>
                  {recordSubtitle(record)}
                </Text>
                <AssessmentDifference record={record} scope="own" />
              </Table.Th>
              <Table.Td className={classes['spt']}>{formatSptNumber(record.spt_number)}</Table.Td>
              <Table.Td className="tabular">{record.year}</Table.Td>
              <Table.Td className={`tabular ${classes['due']}`}>
                <DueDate record={record} />
              </Table.Td>
              <Table.Td ta="right" fw={600}>
                <RecordAmount record={record} />
              </Table.Td>
              <Table.Td>
                <div className={classes['status']}>
                  <StatusBadge status={record.status} />
                  <VerificationMark record={record} scope="own" text="label" />
                </div>
              </Table.Td>
              <Table.Td>
                <Group gap={0} wrap="nowrap" justify="flex-end" className="no-print">
                  <ViewButton record={record} />
                  <OwnRecordMenu record={record} onDelete={onDelete} />
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
