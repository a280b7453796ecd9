import { Checkbox } from '@mantine/core';
import type { MouseEvent } from 'react';
import rows from './rows.module.css';
import type { Selection } from './use-selection.ts';

type Props<Row extends { id: string }> = { row: Row; label: string; selection: Selection<Row> };

/** Selects a row; with Shift all rows from the last one. */
export function RowCheckbox<Row extends { id: string }>({ row, label, selection }: Props<Row>) {
  return (
    <Checkbox
      className={rows['pick'] ?? ''}
      aria-label={`Pilih ${label}`}
      checked={selection.has(row.id)}
      // Only a click knows the Shift key; the Space key makes one, too.
      onClick={(event: MouseEvent) => selection.toggle(row, { range: event.shiftKey })}
      onChange={() => {}}
    />
  );
}

/** Selects all rows of a page. On cards it has a visible label. */
export function PageCheckbox<Row extends { id: string }>({
  selection,
  isLabelled = false,
}: {
  selection: Selection<Row>;
  isLabelled?: boolean;
}) {
  const label = 'Pilih semua di halaman ini';
  return (
    <Checkbox
      {...(isLabelled ? { label, className: rows['all'] ?? '' } : { 'aria-label': label })}
      checked={selection.allOnPage}
      indeterminate={selection.someOnPage && !selection.allOnPage}
      onChange={selection.togglePage}
    />
  );
}
