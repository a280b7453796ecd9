import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { cellText, normalizeCell } from '#client/exports/report-document.ts';
import { Money } from '#client/ui/data/money.tsx';
import { useWideScreen } from '#client/ui/screen/use-wide-screen.ts';
import type { BarSpan, ReportTable, ReportTableColumn, TableBar } from './report-table.ts';
import classes from './report-table.module.css';

type TableProps<Row> = {
  table: ReportTable<Row>;
  /** The id of the heading. */
  labelledBy: string;
  /** On a narrower screen a row is a block: its name, its bar, and each value with its header. */
  wideFromEm: number;
  bar?: TableBar<Row>;
  /** More than the text of the first column, such as a mark. */
  renderName?: (row: Row) => ReactNode;
  /** A line below the row, over its whole width; null for none. */
  belowRow?: (row: Row) => ReactNode;
  /** Whether nothing is lost when a narrow screen leaves the row out. */
  isEmptyRow?: (row: Row) => boolean;
  /** Whether the screen has the total, too, and not only the files. */
  hasTotal?: boolean;
};

/** The table of a report on screen and paper. */
export function ReportTableView<Row>({
  table: { columns, rows, total },
  labelledBy,
  wideFromEm,
  bar,
  renderName,
  belowRow,
  isEmptyRow,
  hasTotal = false,
}: TableProps<Row>) {
  const isWide = useWideScreen(wideFromEm);
  const [nameColumn, ...valueColumns] = columns.filter(({ isFileOnly }) => !isFileOnly);
  if (!nameColumn) return null;
  const cells = (row: Row) =>
    valueColumns.map((column) => (
      <td key={column.header} data-label={headerOf(column)}>
        <CellValue column={column} row={row} />
      </td>
    ));
  return (
    <>
      {bar && bar.legend.length > 0 ? <Legend legend={bar.legend} /> : null}
      <table className={classes['table']} data-stacked={!isWide || undefined} aria-labelledby={labelledBy}>
        <thead>
          <tr>
            <th scope="col">{headerOf(nameColumn)}</th>
            {bar ? <td aria-hidden /> : null}
            {valueColumns.map((column) => (
              <th key={column.header} scope="col">
                {headerOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row) => {
          const name = textOf(nameColumn, row);
          const below = belowRow?.(row) ?? null;
          return (
            // Of its own, so that no page ends between a row and the line below it.
            <tbody key={name}>
              <tr data-empty={isEmptyRow?.(row) || undefined}>
                <th scope="row">{renderName ? renderName(row) : name}</th>
                {bar ? <BarCell parts={bar.parts(row)} /> : null}
                {cells(row)}
              </tr>
              {below === null ? null : (
                <tr className={classes['below']}>
                  <td colSpan={1 + (bar ? 1 : 0) + valueColumns.length}>{below}</td>
                </tr>
              )}
            </tbody>
          );
        })}
        {hasTotal && total ? (
          <tfoot>
            <tr>
              <th scope="row">{total.label}</th>
              {bar ? <td className={classes['barCell']} aria-hidden /> : null}
              {cells(total.row)}
            </tr>
          </tfoot>
        ) : null}
      </table>
    </>
  );
}

type SectionProps<Row> = Omit<TableProps<Row>, 'labelledBy'> & {
  hint?: string;
  /** In place of a table without rows. */
  emptyText?: string;
};

/** The table in a section of its own, with its heading. */
export function ReportTableSection<Row>({ hint, emptyText, ...tableProps }: SectionProps<Row>) {
  const id = useId();
  const { heading, rows } = tableProps.table;
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} aria-labelledby={id} className={classes['part']}>
      <Title order={2} fz="h3" id={id} mb={hint === undefined ? 'sm' : 0}>
        {heading}
      </Title>
      {hint === undefined ? null : (
        <Text c="dimmed" fz="sm" mb="sm">
          {hint}
        </Text>
      )}
      {rows.length === 0 && emptyText !== undefined ? (
        <Text>{emptyText}</Text>
      ) : (
        <ReportTableView {...tableProps} labelledBy={id} />
      )}
    </Paper>
  );
}

const headerOf = <Row,>({ header, screenHeader = header }: ReportTableColumn<Row>): string => screenHeader;

function textOf<Row>(column: ReportTableColumn<Row>, row: Row): string {
  return column.screenText ? column.screenText(row) : cellText(normalizeCell(column.value(row), column));
}

function CellValue<Row>({ column, row }: { column: ReportTableColumn<Row>; row: Row }) {
  const value = column.value(row);
  const below = column.below?.(row) ?? '';
  return (
    <>
      {column.kind === 'rupiah' && typeof value === 'number' ? <Money amount={value} /> : textOf(column, row)}
      {below === '' ? null : <span className={classes['note']}>{below}</span>}
    </>
  );
}

function BarCell({ parts }: { parts: readonly BarSpan[] }) {
  return (
    <td className={classes['barCell']} aria-hidden>
      <span className={classes['bar']}>
        {parts.map(({ part, from, to }) => (
          <span key={part} data-part={part} style={{ left: `${from}%`, width: `${to - from}%` }} />
        ))}
      </span>
    </td>
  );
}

function Legend({ legend }: Pick<TableBar<never>, 'legend'>) {
  return (
    <ul className={classes['legend']} aria-hidden>
      {legend.map(({ part, text }) => (
        <li key={text} data-part={part}>
          {text}
        </li>
      ))}
    </ul>
  );
}
