import type { ReportCell, ReportColumn, ReportSection } from './report-document.ts';

/** A column of a table, and the value that it has of a row. */
export type TableColumn<Row> = ReportColumn & { value: (row: Row) => ReportCell };

/** A table of a document, described by its columns once. */
export type FileTable<Row> = {
  heading: string;
  /** The first one names the row. */
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** The bold line below the rows; a table without rows has none. */
  total?: { label: string; row: Row };
  notes?: string[];
};

export const rowCells = <Row>(columns: readonly TableColumn<Row>[], row: Row): ReportCell[] =>
  columns.map(({ value }) => value(row));

export function tableSection<Row>({ heading, columns, rows, total, notes }: FileTable<Row>): ReportSection {
  return {
    heading,
    columns: columns.map(({ header, kind, width }) => ({ header, kind, ...(width !== undefined && { width }) })),
    rows: rows.map((row) => rowCells(columns, row)),
    ...(total && rows.length > 0 && { totals: [total.label, ...rowCells(columns.slice(1), total.row)] }),
    ...(notes && { notes }),
  };
}
