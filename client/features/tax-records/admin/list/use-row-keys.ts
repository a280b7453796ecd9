import type { RefObject } from 'react';
import { usePageKeys } from '#client/ui/keys/page-keys.ts';
import type { TaxRecord } from '#shared/api/tax-records.ts';
import type { Selection } from './use-selection.ts';

/**
 * Keys of the list: to the next and previous row, to select it and to mark it as paid; see `record-list-keys.ts`.
 * While rows are selected, T is about them: see `selection-actions.tsx`.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, records: readonly TaxRecord[], selection: Selection) {
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !list.current) return;
    const rows = [...list.current.querySelectorAll<HTMLElement>('[data-row]')];
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    const key = event.key.toLowerCase();

    const focusRow = (next: number): void => {
      const row = rows[Math.min(Math.max(next, 0), rows.length - 1)];
      if (!row) return;
      event.preventDefault();
      row.querySelector('a')?.focus();
    };
    // The arrows scroll the page until a row has the focus.
    const isArrow = index >= 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp');
    if (key === 'j' || (isArrow && event.key === 'ArrowDown')) return focusRow(index + 1);
    if (key === 'k' || isArrow) return focusRow(index < 0 ? 0 : index - 1);
    const record = records[index];
    if (!record) return;
    if (key === 'x') {
      event.preventDefault();
      selection.toggle(record, { range: event.shiftKey });
    }
    if (key === 't' && selection.records.length === 0) {
      event.preventDefault();
      rows[index]?.querySelector<HTMLElement>('[data-mark-paid]')?.click();
    }
  });
}
