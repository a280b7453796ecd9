import { useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** Chosen records, over all pages. What is on screen counts as it is there now; of the others, as it was when chosen. */
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
    /** All of this page, or none of it when all are chosen already. */
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
