import { useRef, useState } from 'react';

/** The selected rows of all pages. A row on the current page has its current values, any other those of its selection. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  /** The row that was toggled last, from which a range is counted. */
  const anchorId = useRef<string | null>(null);
  const byId = new Map(rows.map((row) => [row.id, row]));

  function updateSelection(applyChange: (next: Map<string, Row>) => void): void {
    setSelected((current) => {
      const next = new Map(current);
      applyChange(next);
      return next;
    });
  }

  /** The rows from the anchor to a row; only the row itself when the anchor is on another page. */
  function rangeTo(end: Row): readonly Row[] {
    const to = rows.findIndex(({ id }) => id === end.id);
    const from = rows.findIndex(({ id }) => id === anchorId.current);
    if (to < 0 || from < 0) return [end];
    return rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  return {
    rows: [...selected.values()].map((row) => byId.get(row.id) ?? row),
    has: (id: string) => selected.has(id),
    allOnPage: rows.length > 0 && rows.every(({ id }) => selected.has(id)),
    someOnPage: rows.some(({ id }) => selected.has(id)),
    /** With `range`, all rows from the last toggled one take the new state of this one. */
    toggle(row: Row, { range = false } = {}): void {
      const isSelected = !selected.has(row.id);
      const changed = range ? rangeTo(row) : [row];
      anchorId.current = row.id;
      updateSelection((next) => {
        for (const each of changed) {
          if (isSelected) next.set(each.id, each);
          else next.delete(each.id);
        }
      });
    },
    /** Selects all rows of this page, or none of them when all are selected already. */
    togglePage: () =>
      updateSelection((next) => {
        const all = rows.every(({ id }) => next.has(id));
        for (const row of rows) {
          if (all) next.delete(row.id);
          else next.set(row.id, row);
        }
      }),
    add: (added: readonly Row[]) =>
      updateSelection((next) => {
        for (const row of added) next.set(row.id, row);
      }),
    remove: (ids: readonly string[]) =>
      updateSelection((next) => {
        for (const id of ids) next.delete(id);
      }),
    clear: () => setSelected(new Map()),
  };
}
export type Selection<Row extends { id: string }> = ReturnType<typeof useSelection<Row>>;
