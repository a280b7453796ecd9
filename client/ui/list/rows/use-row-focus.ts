import { useEffect, useRef } from 'react';
import { focusHeading } from '../../page/page-focus.ts';

type Row = { id: string };

/**
 * Moves the focus when a row disappears together with its focused button: to the row at the same position,
 * else to the last row, else to the heading of the page. Each row needs the attribute `data-row`.
 */
export function useRowFocus(rows: readonly Row[]) {
  const list = useRef<HTMLDivElement>(null);
  const removedRow = useRef<{ id: string; index: number } | null>(null);

  useEffect(() => {
    const removed = removedRow.current;
    if (!removed || rows.some(({ id }) => id === removed.id)) return;
    removedRow.current = null;
    const found = list.current?.querySelectorAll<HTMLElement>('[data-row] a') ?? [];
    const links = [...found].filter((link) => !link.hasAttribute('aria-label'));
    const target = links[Math.min(removed.index, links.length - 1)];
    if (target) target.focus();
    else focusHeading();
  }, [rows]);

  // The list disappears together with its last row.
  useEffect(
    () => () => {
      if (removedRow.current) focusHeading();
    },
    [],
  );

  function onRowRemoved(row: Row) {
    removedRow.current = { id: row.id, index: rows.findIndex(({ id }) => id === row.id) };
  }

  return { list, onRowRemoved };
}
