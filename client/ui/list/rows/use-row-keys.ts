import type { RefObject } from 'react';
import { usePageKeys } from '../../keys/page-keys.ts';
import type { Selection } from './use-selection.ts';

type Options<Row extends { id: string }> = {
  /** Contains the rows, each with the attribute `data-row`. */
  list: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  selection: Selection<Row>;
  /** Further keys of the row with the focus. */
  onRowKey?: (event: KeyboardEvent, element: HTMLElement) => void;
};

/** Keys of a list: J, K and the arrows to the next and previous row, X to select it. Enter opens its link. */
export function useRowKeys<Row extends { id: string }>({ list, rows, selection, onRowKey }: Options<Row>): void {
  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !list.current) return;
    const elements = [...list.current.querySelectorAll<HTMLElement>('[data-row]')];
    const index = elements.findIndex((element) => element.contains(document.activeElement));
    const key = event.key.toLowerCase();
    const focusRow = (next: number): void => {
      const element = elements[Math.min(Math.max(next, 0), elements.length - 1)];
      if (!element) return;
      event.preventDefault();
      element.querySelector('a')?.focus();
    };
    // The arrows scroll the page until a row has the focus.
    const isArrow = index >= 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp');
    if (key === 'j' || (isArrow && event.key === 'ArrowDown')) return focusRow(index + 1);
    if (key === 'k' || isArrow) return focusRow(index < 0 ? 0 : index - 1);
    const row = rows[index];
    const element = elements[index];
    if (!row || !element) return;
    if (key === 'x') {
      event.preventDefault();
      selection.toggle(row, { range: event.shiftKey });
    } else onRowKey?.(event, element);
  });
}
