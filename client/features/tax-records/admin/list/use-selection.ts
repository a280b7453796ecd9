import { useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** The selected records of all pages. A record on the current page has its current values, any other those of its selection. */
export function useSelection(rows: readonly TaxRecord[]) {
  const [selected, setSelected] = useState<ReadonlyMap<string, TaxRecord>>(new Map());
  const byId = new Map(rows.map((row) => [row.id, row]));

  function updateSelection(applyChange: (next: Map<string, TaxRecord>) => void): void {
    setSelected((current) => {
      const next = new Map(current);
      applyChange(next);
      return next;
    });
  }

  return {
    records: [...selected.values()].map((record) => byId.get(record.id) ?? record),
    has: (id: string) => selected.has(id),
    allOnPage: rows.length > 0 && rows.every(({ id }) => selected.has(id)),
    someOnPage: rows.some(({ id }) => selected.has(id)),
    toggle: (record: TaxRecord) =>
      updateSelection((next) => {
        if (!next.delete(record.id)) next.set(record.id, record);
      }),
    /** Selects all records of this page, or none of them when all are selected already. */
    togglePage: () =>
      updateSelection((next) => {
        const all = rows.every(({ id }) => next.has(id));
        for (const row of rows) {
          if (all) next.delete(row.id);
          else next.set(row.id, row);
        }
      }),
    remove: (ids: readonly string[]) =>
      updateSelection((next) => {
        for (const id of ids) next.delete(id);
      }),
    clear: () => setSelected(new Map()),
  };
}
export type Selection = ReturnType<typeof useSelection>;
