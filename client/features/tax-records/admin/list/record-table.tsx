import { Anchor, Checkbox, Paper, Table, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import { paths } from '#client/paths.ts';
import { Money } from '#client/ui/data/money.tsx';
import { StatusBadge } from '../../display/status-badge.tsx';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { AdminRecordFilter } from '../../api.ts';
import type { Selection } from './use-selection.ts';
import classes from './record-list.module.css';
import { RecordIcons } from '../../display/record-icons.tsx';
import { propertyLabel, recordLabel } from '../../display/record-labels.ts';
import { SortableHeader } from './sortable-header.tsx';

export type RowsProps = {
  records: readonly TaxRecord[];
  selection: Selection;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  onDelete: (record: TaxRecord) => void;
};

/** Records on wide screens. */
export function AdminRecordTable({ records, selection, sort, onSort, onDelete }: RowsProps) {
  return (
    <Paper withBorder className={classes['frame']}>
      <Table verticalSpacing={6} horizontalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" className={classes['check']}>
              <Checkbox
                aria-label="Pilih semua di halaman ini"
                checked={selection.allOnPage}
                indeterminate={selection.someOnPage && !selection.allOnPage}
                onChange={selection.togglePage}
              />
            </Table.Th>
            <SortableHeader label="Nama" column="name" sort={sort} onSort={onSort} />
            <Table.Th scope="col">Jenis Pajak</Table.Th>
            <SortableHeader label="Tahun" column="year" descendingFirst sort={sort} onSort={onSort} />
            <SortableHeader label="Jumlah" column="amount" descendingFirst sort={sort} onSort={onSort} align="right" />
            <Table.Th scope="col">Status</Table.Th>
            <Table.Th scope="col" ta="right">
              Aksi
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.map((record) => (
            <Table.Tr key={record.id} data-row data-selected={selection.has(record.id) || undefined}>
              <Table.Td className={classes['check']}>
                <Checkbox
                  aria-label={`Pilih ${recordLabel(record)}`}
                  checked={selection.has(record.id)}
                  onChange={() => selection.toggle(record)}
                />
              </Table.Td>
              <Table.Th scope="row" className={classes['name']}>
                <Anchor component={Link} to={paths.adminRecord(record.id)} fw={600} c="inherit">
                  {record.name}
                </Anchor>
                <Text c="dimmed" fz="sm" fw={400} lineClamp={1} title={record.address}>
                  {record.address}
                </Text>
                <Text c="dimmed" fz="sm" fw={400} lineClamp={1}>
                  Pemilik: {record.user.name}
                </Text>
              </Table.Th>
              <Table.Td className={classes['type']}>
                {record.tax_type}
                <Text c="dimmed" fz="sm">
                  {propertyLabel(record.property_type)}
                </Text>
                <Text c="dimmed" fz="sm" className={classes['spt'] ?? ''}>
                  {record.spt_number}
                </Text>
              </Table.Td>
              <Table.Td className="tabular">{record.year}</Table.Td>
              <Table.Td ta="right" fw={600}>
                <Money amount={record.amount} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={record.status} />
              </Table.Td>
              <Table.Td>
                <RecordIcons scope="admin" size="small" record={record} onDelete={onDelete} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
