import { useRef, useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';

/** The selected records of all pages. A record on the current page has its current values, any other those of its selection. */
export function useSelection(rows: readonly TaxRecord[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, TaxRecord>>(new Map());
  /** The row that was toggled last, from which a range is counted. */
  const anchorId = useRef<string | null>(null);
  const byId = new Map(rows.map((row) => [row.id, row]));

  function updateSelection(applyChange: (next: Map<string, TaxRecord>) => void): void {
    setSelected((current) => {
      const next = new Map(current);
      applyChange(next);
      return next;
    });
  }

  /** The rows from the anchor to a record; only the record itself when the anchor is on another page. */
  function rangeTo(record: TaxRecord): readonly TaxRecord[] {
    const to = rows.findIndex(({ id }) => id === record.id);
    const from = rows.findIndex(({ id }) => id === anchorId.current);
    if (to < 0 || from < 0) return [record];
    return rows.slice(Math.min(from, to), Math.max(from, to) + 1);
  }

  return {
    records: [...selected.values()].map((record) => byId.get(record.id) ?? record),
    has: (id: string) => selected.has(id),
    allOnPage: rows.length > 0 && rows.every(({ id }) => selected.has(id)),
    someOnPage: rows.some(({ id }) => selected.has(id)),
    /** With `range`, all rows from the last toggled one take the new state of this one. */
    toggle(record: TaxRecord, { range = false } = {}): void {
      const isSelected = !selected.has(record.id);
      const changed = range ? rangeTo(record) : [record];
      anchorId.current = record.id;
      updateSelection((next) => {
        for (const row of changed) {
          if (isSelected) next.set(row.id, row);
          else next.delete(row.id);
        }
      });
    },
    /** Selects all records of this page, or none of them when all are selected already. */
    togglePage: () =>
      updateSelection((next) => {
        const all = rows.every(({ id }) => next.has(id));
        for (const row of rows) {
          if (all) next.delete(row.id);
          else next.set(row.id, row);
        }
      }),
    add: (records: readonly TaxRecord[]) =>
      updateSelection((next) => {
        for (const record of records) next.set(record.id, record);
      }),
    remove: (ids: readonly string[]) =>
      updateSelection((next) => {
        for (const id of ids) next.delete(id);
      }),
    clear: () => setSelected(new Map()),
  };
}
export type Selection = ReturnType<typeof useSelection>;
