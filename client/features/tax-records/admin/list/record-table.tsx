import { RecordAmount } from '../../display/record-amount.tsx';
import { Anchor, Checkbox, Paper, Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import type { Density } from '#client/ui/list/density.tsx';
import type { RecordSort, TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import type { AdminRecordFilter } from '../../api.ts';
import { DueDate } from '../../display/due-date.tsx';
import { MarkPaidButton } from '../../display/mark-paid/mark-paid-button.tsx';
import { propertyLabel } from '../../display/record-labels.ts';
import { StatusBadge } from '../../display/status-badge.tsx';
import { VerificationMark } from '../../display/verification/verification-mark.tsx';
import list from '#client/ui/list/list.module.css';
import classes from './record-list.module.css';
import { OwnerLink, ProofMark, RowCheckbox, useOpenRow } from './row-cells.tsx';
import { RowMenu } from './row-menu.tsx';
import type { Selection } from './use-selection.ts';

export type RowsProps = {
  records: readonly TaxRecord[];
  /** The record that was just edited. */
  editedId: string | null;
  selection: Selection;
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
    <Paper withBorder radius="md" className={`${list['frame']} ${classes['frame']}`} data-density={density}>
      <Table highlightOnHover className={classes['table']}>
        <Table.Thead className={list['head']} fz="xs">
          <Table.Tr>
            <Table.Th scope="col" w="2.5rem">
              <Checkbox
                aria-label="Pilih semua di halaman ini"
                checked={selection.allOnPage}
                indeterminate={selection.someOnPage && !selection.allOnPage}
                onChange={selection.togglePage}
              />
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
              onClick={(event) => openRow(record, event)}
            >
              <Table.Td>
                <RowCheckbox record={record} selection={selection} />
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
                    className={`${classes['cut']} ${classes['nameLink']}`}
                  >
                    {record.name}
                  </Anchor>
                  <ProofMark record={record} />
                </div>
                <div className={`${classes['cut']} ${classes['second']}`} title={record.address}>
                  <OwnerLink record={record} /> {record.address}
                </div>
              </Table.Th>
              <Table.Td>
                <div className={classes['cut']}>{record.tax_type}</div>
                <div className={`${classes['cut']} ${classes['second']}`}>{propertyLabel(record.property_type)}</div>
              </Table.Td>
              <Table.Td>
                <div className={classes['cut']} title={record.spt_number}>
                  {record.spt_number}
                </div>
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

type HeaderProps = {
  label: string;
  column: RecordSort;
  /** The first press sorts in descending order, because the largest numbers are wanted most often. */
  descendingFirst?: boolean;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  align?: 'right';
  /** The width of the column. */
  w?: string;
};

/** A column header that sorts the whole list by its column. */
function SortableHeader({ label, column, descendingFirst = false, sort, onSort, align, w }: HeaderProps) {
  const [first, second] = descendingFirst ? ([`-${column}`, column] as const) : ([column, `-${column}`] as const);
  const current = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[current];
  return (
    <Table.Th scope="col" aria-sort={current} ta={align} w={w}>
      <UnstyledButton
        className={classes['sort']}
        data-active={current !== 'none' || undefined}
        onClick={() => onSort(sort === first ? second : first)}
      >
        {label}
        <Icon size={15} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
