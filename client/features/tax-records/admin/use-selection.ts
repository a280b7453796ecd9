import { useState } from 'react';
import type { TaxRecord } from '#shared/api/tax-records.ts';

/** Chosen records, over all pages. What is on screen counts as it is there now; of the others, as it was when chosen. */
export function useSelection(rows: readonly TaxRecord[]) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, TaxRecord>>(new Map());
  const byId = new Map(rows.map((row) => [row.id, row]));

  function change(edit: (next: Map<string, TaxRecord>) => void): void {
    setChosen((current) => {
      const next = new Map(current);
      edit(next);
      return next;
    });
  }

  return {
    records: [...chosen.values()].map((record) => byId.get(record.id) ?? record),
    has: (id: string) => chosen.has(id),
    allOnPage: rows.length > 0 && rows.every(({ id }) => chosen.has(id)),
    someOnPage: rows.some(({ id }) => chosen.has(id)),
    toggle: (record: TaxRecord) =>
      change((next) => {
        if (!next.delete(record.id)) next.set(record.id, record);
      }),
    /** All of this page, or none of it when all are chosen already. */
    togglePage: () =>
      change((next) => {
        const all = rows.every(({ id }) => next.has(id));
        for (const row of rows) {
          if (all) next.delete(row.id);
          else next.set(row.id, row);
        }
      }),
    drop: (ids: readonly string[]) =>
      change((next) => {
        for (const id of ids) next.delete(id);
      }),
    clear: () => setChosen(new Map()),
  };
}
export type Selection = ReturnType<typeof useSelection>;
