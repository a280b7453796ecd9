import { RecordAmount } from '../../display/record-amount.tsx';
import { Anchor, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { Density } from '#client/ui/list/rows/density.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { AdminRecordFilter } from '../../api.ts';
import { DifferenceLine } from '../../display/assessment-difference.tsx';
import { DueDate } from '../../display/due-date.tsx';
import { MarkPaidButton } from '../../display/mark-paid/mark-paid-button.tsx';
import { propertyLabel, recordLabel } from '../../display/record-labels.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import { PageCheckbox, RowCheckbox } from '#client/ui/list/rows/row-checkbox.tsx';
import { SortableHeader } from '#client/ui/list/rows/sortable-header.tsx';
import { useOpenRow } from '#client/ui/list/rows/use-open-row.ts';
import type { Selection } from '#client/ui/list/rows/use-selection.ts';
import list from '#client/ui/list/list.module.css';
import rows from '#client/ui/list/rows/rows.module.css';
import { formatSptNumber } from '#shared/domain/dhkp/nop.ts';
import classes from './record-list.module.css';
import { OwnerLink, ProofMark } from './row-cells.tsx';
import { RowMenu } from './row-menu.tsx';

export type RowsProps = {
  records: readonly TaxRecord[];
  /** The record that was just edited. */
  editedId: string | null;
  selection: Selection<TaxRecord>;
  density: Density;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  onDelete: (record: TaxRecord) => void;
  onUnmark: (record: TaxRecord) => void;
};

/** Records on wide screens. */
export function AdminRecordTable({
  records,
  editedId,
  selection,
  density,
  sort,
  onSort,
  onDelete,
  onUnmark,
}: RowsProps) {
  const openRow = useOpenRow();
  return (
    <Paper
      withBorder
      radius="md"
      className={`${list['frame']} ${rows['frame']} ${classes['frame']}`}
      data-density={density}
    >
      <Table highlightOnHover className={rows['table'] ?? ''}>
        <Table.Thead className={list['head']} fz="xs">
          <Table.Tr>
            <Table.Th scope="col" w="2.5rem">
              <PageCheckbox selection={selection} />
            </Table.Th>
            <SortableHeader label="Nama" column="name" sort={sort} onSort={onSort} />
            <Table.Th scope="col" w="6.5rem">
              Jenis Pajak
            </Table.Th>
            <Table.Th scope="col" w="8.75rem">
              SPT
            </Table.Th>
            <SortableHeader label="Tahun" column="year" descendingFirst sort={sort} onSort={onSort} w="4.75rem" />
            <SortableHeader
              label="Jumlah"
              column="amount"
              descendingFirst
              sort={sort}
              onSort={onSort}
              align="right"
              w="7.5rem"
            />
            <SortableHeader label="Jatuh Tempo" column="due_date" sort={sort} onSort={onSort} w="7.25rem" />
            <Table.Th scope="col" w="8.75rem">
              Status
            </Table.Th>
            <Table.Th scope="col" ta="right" w="9rem">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr
              key={record.id}
              data-row
              data-edited={record.id === editedId || undefined}
              data-selected={selection.has(record.id) || undefined}
              onClick={(event) => openRow(paths.adminRecord(record.id), event)}
            >
              <Table.Td>
                <RowCheckbox row={record} label={recordLabel(record)} selection={selection} />
              </Table.Td>
              <Table.Th scope="row" ta="start">
                <div className={classes['nameLine']}>
                  <Anchor
                    component={Link}
                    to={paths.adminRecord(record.id)}
                    fz="inherit"
                    lh="inherit"
                    fw={600}
                    c="inherit"
                    title={record.name}
                    className={`${rows['cut']} ${rows['nameLink']}`}
                  >
                    {record.name}
                  </Anchor>
                  <ProofMark record={record} />
                </div>
                <div className={`${rows['cut']} ${rows['second']}`} title={record.address}>
                  <OwnerLink record={record} /> {record.address}
                </div>
                <DifferenceLine record={record} scope="admin" className={`${rows['cut']} ${rows['second']}`} />
              </Table.Th>
              <Table.Td>
                <div className={rows['cut']}>{record.tax_type}</div>
                <div className={`${rows['cut']} ${rows['second']}`}>{propertyLabel(record.property_type)}</div>
              </Table.Td>
              <Table.Td>
                {/* The last digits tell objects apart, so a NOP has two lines and is not cut. */}
                <Text fz="xs" lh={1.3} lineClamp={2} title={formatSptNumber(record.spt_number)}>
                  {formatSptNumber(record.spt_number)}
                </Text>
              </Table.Td>
              <Table.Td className="tabular">{record.year}</Table.Td>
              <Table.Td ta="right" fw={600}>
                <RecordAmount record={record} />
              </Table.Td>
              <Table.Td>
                <div className={classes['dueCell']}>
                  <DueDate record={record} />
                </div>
              </Table.Td>
              <Table.Td>
                <div className={`${classes['statusCell']} ${classes['statusLines']}`}>
                  <StatusBadge status={record.status} />
                  <VerificationMark record={record} scope="admin" text="word" />
                </div>
              </Table.Td>
              <Table.Td>
                <div className={classes['buttons']}>
                  <MarkPaidButton record={record} />
                  <RowMenu record={record} onDelete={onDelete} onUnmark={onUnmark} />
                </div>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
