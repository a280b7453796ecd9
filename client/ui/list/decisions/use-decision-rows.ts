import { useEffect, useRef } from 'react';
import { usePageKeys } from '../../keys/page-keys.ts';
import { focusHeading } from '../../page/page-focus.ts';

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

type Options<Row> = {
  rows: readonly Row[];
  /** Further keys of the row with the focus. */
  onRowKey?: (key: string, row: Row) => void;
};

/**
 * A list of rows that wait for a decision, each with `data-row` and a button with `data-main`. ↓ and J focus that button of
 * the next row, ↑ and K that of the previous one; Enter presses what has the focus. When the row with the focus leaves the list,
 * the one at its place gets it, else the heading of the page.
 */
export function useDecisionRows<Row extends { id: string }>({ rows, onRowKey }: Options<Row>) {
  const list = useRef<HTMLDivElement>(null);
  /** The row that had the focus last. */
  const last = useRef<{ id: string; index: number } | null>(null);
  /** The row that gets the focus once it is shown. */
  const wanted = useRef<string | null>(null);

  const elements = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const focusedIndex = (): number => elements().findIndex((element) => element.contains(document.activeElement));

  function focusRow(index: number): void {
    const found = elements();
    const element = found[Math.min(Math.max(index, 0), found.length - 1)];
    if (element) element.querySelector<HTMLElement>('[data-main]')?.focus();
    else focusHeading();
  }

  useEffect(() => {
    const wantedIndex = rows.findIndex(({ id }) => id === wanted.current);
    if (wantedIndex >= 0) return focusRow(wantedIndex);
    const left = last.current;
    if (left === null || rows.some(({ id }) => id === left.id)) return;
    const active = document.activeElement;
    // A dialog that asked about the row is still closing.
    if (active?.closest('[role="dialog"]')) return;
    last.current = null;
    if (active === null || active === document.body) focusRow(left.index);
  });

  usePageKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const index = focusedIndex();
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (key === 'Enter') {
      // Each decision has its own press: the next row has the focus while the key is still down.
      if (event.repeat && index >= 0) event.preventDefault();
      return;
    }
    const step = STEPS[key];
    const row = rows[index];
    if (step !== undefined) {
      event.preventDefault();
      focusRow(index < 0 ? 0 : index + step);
    } else if (row) onRowKey?.(key, row);
  });

  return {
    list,
    onFocus: (): void => {
      wanted.current = null;
      const index = focusedIndex();
      const row = rows[index];
      if (row) last.current = { id: row.id, index };
    },
    focusWhenShown: (id: string): void => {
      wanted.current = id;
    },
  };
}
