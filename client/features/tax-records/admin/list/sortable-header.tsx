import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { RecordSort } from '#shared/api/tax-records.ts';
import type { AdminRecordFilter } from '../../api.ts';
import classes from './record-list.module.css';

type Props = {
  label: string;
  column: RecordSort;
  /** The first press sorts in descending order, because the largest numbers are wanted most often. */
  descendingFirst?: boolean;
  sort: AdminRecordFilter['sort'];
  onSort: (sort: AdminRecordFilter['sort']) => void;
  align?: 'right';
  className?: string | undefined;
};

/** A column header that sorts the whole list by its column. */
export function SortableHeader({ label, column, descendingFirst = false, sort, onSort, align, className }: Props) {
  const [first, second] = descendingFirst ? ([`-${column}`, column] as const) : ([column, `-${column}`] as const);
  const current = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[current];
  return (
    <Table.Th scope="col" aria-sort={current} ta={align} className={className}>
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
