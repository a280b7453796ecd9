import { getTableConfig } from 'drizzle-orm/sqlite-core';
import { isNumbered } from '../dialect.ts';
import { tables } from '../postgres/tables.ts';

/** The tables that a move copies row by row, with the numbers of their rows: an order of insertion on both engines. */

const COLUMN_TYPES = { integer: 'bigint', text: 'text', real: 'double precision' } as const;

export type Value = string | number | null;
export type Row = readonly Value[];

export type MovedTable = {
  name: string;
  /** The column that numbers the rows, the first of `columns`. */
  number: string;
  columns: readonly { name: string; type: (typeof COLUMN_TYPES)[keyof typeof COLUMN_TYPES] }[];
};

/** Tables of an engine's own search index and migrations. Each side fills its own. */
export const NOT_MOVED: ReadonlySet<string> = new Set([
  '__drizzle_migrations',
  'message_index',
  'record_words_pending',
  'message_vocabulary',
  ...['message_words', 'record_words', 'user_words'].flatMap((name) => [
    name,
    `${name}_config`,
    `${name}_data`,
    `${name}_idx`,
  ]),
]);

function typeOf(column: { name: string; getSQLType: () => string }): MovedTable['columns'][number]['type'] {
  const type = column.getSQLType();
  if (type === 'integer' || type === 'text' || type === 'real') return COLUMN_TYPES[type];
  throw new Error(`no type for ${column.name}: ${type}`);
}

export const movedTables: readonly MovedTable[] = tables
  .map((table): MovedTable => {
    const { name, columns } = getTableConfig(table);
    const numbered = columns.find(isNumbered);
    const number = numbered?.name ?? 'rowid';
    const others = columns.filter((column) => column !== numbered);
    return {
      name,
      number,
      columns: [
        { name: number, type: 'bigint' },
        ...others.map((column) => ({ name: column.name, type: typeOf(column) })),
      ],
    };
  })
  .filter(({ name }) => !NOT_MOVED.has(name));

export const quote = (name: string): string => `"${name}"`;

export const columnList = ({ columns }: MovedTable): string => columns.map(({ name }) => quote(name)).join(', ');

/** The number of the last row of a page. */
export const lastNumber = (rows: readonly Row[]): number => Number(rows.at(-1)?.[0] ?? 0);
