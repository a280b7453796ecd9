import type { ListRow } from '../list-reading.ts';
import { PROBLEM_MESSAGES } from './messages.ts';

/**
 * The same NOP twice: every copy is a problem, unless all that was read is equal. Then the first one counts, with a warning,
 * and the others are left out.
 */
export function resolveDoubles(rows: readonly ListRow[]): ListRow[] {
  const byNop = new Map<string, ListRow[]>();
  for (const row of rows) {
    if (row.nop === null) continue;
    const same = byNop.get(row.nop);
    if (same) same.push(row);
    else byNop.set(row.nop, [row]);
  }
  const leftOut = new Set<ListRow>();
  for (const [nop, copies] of byNop) {
    const [first, ...others] = copies;
    if (!first || others.length === 0) continue;
    const places = copies
      .map(({ sheet, row }) => `${sheet} baris ${row}`)
      .slice(0, 5)
      .join(', ');
    const note = { code: 'nop_double', field: 'nop' as const, text: nop };
    if (others.every((other) => contentOf(other) === contentOf(first))) {
      first.warnings.push({
        ...note,
        message: `Objek ini ada ${copies.length} kali dengan isi yang sama, dihitung sekali (${places}).`,
      });
      for (const other of others) leftOut.add(other);
    } else {
      for (const copy of copies) copy.problems.push({ ...note, message: `${PROBLEM_MESSAGES.nop_double} (${places})` });
    }
  }
  return rows.filter((row) => !leftOut.has(row));
}

const contentOf = ({ values, problems }: ListRow): string =>
  JSON.stringify([values, problems.map(({ code, text }) => [code, text])]);
