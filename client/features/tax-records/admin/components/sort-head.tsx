import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { RecordSort } from '#shared/api/tax-records.ts';
import type { RecordFilter } from '../api.ts';
import classes from './records.module.css';

type Props = {
  label: string;
  by: RecordSort;
  /** Figures are mostly looked for from the largest down. */
  downFirst?: boolean;
  sort: RecordFilter['sort'];
  onSort: (sort: RecordFilter['sort']) => void;
  align?: 'right';
};

/** A column's head that orders the whole list by it. */
export function SortHead({ label, by, downFirst = false, sort, onSort, align }: Props) {
  const [first, second] = downFirst ? ([`-${by}`, by] as const) : ([by, `-${by}`] as const);
  const current = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  const Icon = { ascending: IconArrowUp, descending: IconArrowDown, none: IconArrowsSort }[current];
  return (
    <Table.Th scope="col" aria-sort={current} ta={align}>
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
