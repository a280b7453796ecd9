import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import rows from './rows.module.css';

type Props<Column extends string> = {
  label: string;
  column: Column;
  /** The first press sorts in descending order, because the largest numbers are wanted most often. */
  descendingFirst?: boolean;
  sort: string;
  onSort: (sort: Column | `-${Column}`) => void;
  align?: 'right';
  /** The width of the column. */
  w?: string;
};

/** A column header that sorts the whole list by its column. */
export function SortableHeader<Column extends string>({
  label,
  column,
  descendingFirst = false,
  sort,
  onSort,
  align,
  w,
}: Props<Column>) {
  const [first, second] = descendingFirst ? ([`-${column}`, column] as const) : ([column, `-${column}`] as const);
  const current = sort === column ? 'ascending' : sort === `-${column}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[current];
  return (
    <Table.Th scope="col" aria-sort={current} ta={align} w={w}>
      <UnstyledButton
        className={rows['sort'] ?? ''}
        data-active={current !== 'none' || undefined}
        onClick={() => onSort(sort === first ? second : first)}
      >
        {label}
        <Icon size={15} aria-hidden />
      </UnstyledButton>
    </Table.Th>
  );
}
