import type { Page } from '#shared/api/envelope.ts';

/** Readings of a list that changes again and again. */
const PASSES_MAX = 3;

/**
 * All rows of a list, page by page; each comes once. A page is an offset, so a row that leaves the list between two pages
 * moves another one from a later page to an earlier one. The list is then read again, and what was missed comes last.
 */
export async function* allPages<Row extends { id: string }>(
  fetchPage: (page: number) => Promise<Page<Row>>,
): AsyncGenerator<{ rows: Row[]; total: number }> {
  const given = new Set<string>();
  for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
    const found = new Set<string>();
    const totals = new Set<number>();
    for (let page = 1; ; page += 1) {
      const { data, total, last_page } = await fetchPage(page);
      const rows = data.filter(({ id }) => !given.has(id));
      for (const { id } of data) {
        given.add(id);
        found.add(id);
      }
      totals.add(total);
      yield { rows, total };
      if (page >= last_page || data.length === 0) break;
    }
    // Rows that only changed their places leave the total as it is, and the pages fewer rows than it.
    if (totals.size === 1 && totals.has(found.size)) return;
  }
}
