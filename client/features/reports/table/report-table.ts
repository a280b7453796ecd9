import type { FileTable, TableColumn } from '#client/exports/report-table.ts';

export type ReportTableColumn<Row> = TableColumn<Row> & {
  /** The screen has the value elsewhere, such as below another one. */
  isFileOnly?: boolean;
  /** The header and the text on the screen, where a file has a number with another unit. */
  screenHeader?: string;
  screenText?: (row: Row) => string;
  /** A line below the value on the screen; '' for none. */
  below?: (row: Row) => string;
};

/** One table of a report, for the screen, the print and the files. */
export type ReportTable<Row> = Omit<FileTable<Row>, 'columns'> & { columns: readonly ReportTableColumn<Row>[] };

/** The patterns of bars, which `report-table.module.css` draws. They differ without colour and on paper. */
export type BarPart = 'paid' | 'open' | 'overdue' | 'median' | 'p90';

/** Between two percents of the longest bar. */
export type BarSpan = { part: BarPart; from: number; to: number };

/** A bar in each row. A later part is drawn over those before it. */
export type TableBar<Row> = {
  parts: (row: Row) => readonly BarSpan[];
  legend: readonly { part?: BarPart; text: string }[];
};
