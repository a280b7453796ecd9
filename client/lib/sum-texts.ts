import { estimatedPartText } from '#shared/rollover-texts.ts';
import type { CheckedSums } from '#shared/api/tax-records/record-sums.ts';
import { CHECKED_PARTS, type CheckedPart } from '#shared/domain/tax-records/checked-sums.ts';
import { totalAmount } from '#shared/domain/money/rupiah.ts';
import { formatNumber, formatRupiah } from './format.ts';

/** The line below a sum, in the same words on screens, in prints and in files (R-CHECK-50, R-STAT-30). */

const partWords: Record<CheckedPart, string> = {
  matched: 'dicocokkan',
  pending: 'menunggu',
  outdated: 'berubah sejak dicocokkan',
  rejected: 'tidak cocok',
  office: 'dicatat kantor',
};

export const ALL_CHECKED = 'Semua sudah dicocokkan';

/** 'Dicocokkan Rp 27.950.000' and so on, in the order of the line; parts of 0 are left out, and the first begins with a capital. */
export function checkedParts(checked: CheckedSums): { part: CheckedPart; text: string }[] {
  return CHECKED_PARTS.filter((part) => checked[part].amount > 0).map((part, index) => {
    const words = partWords[part];
    const begin = index === 0 ? words.charAt(0).toUpperCase() + words.slice(1) : words;
    return { part, text: `${begin} ${formatRupiah(checked[part].amount)}` };
  });
}

/** Whether the office knows all of a sum: it matched the reports, or wrote the payments itself. */
export function isAllChecked({ pending, outdated, rejected }: CheckedSums): boolean {
  return pending.count + outdated.count + rejected.count === 0;
}

/** The parts of a paid sum by the result of their check, as text; '' when nothing was paid. */
export function checkedText(checked: CheckedSums): string {
  const parts = checkedParts(checked);
  if (parts.length === 0) return '';
  return isAllChecked(checked) ? ALL_CHECKED : parts.map(({ text }) => text).join(' · ');
}

/** The unconfirmed part of an overdue sum: 'termasuk perkiraan Rp 206.250 (1 data)'; '' when there is none. */
export function estimatedText({ count, amount }: { count: number; amount: number }): string {
  return estimatedPartText({ count, amount }) ?? '';
}

/** The paid part of a list, with what the office knows of it; null when nothing is paid. */
export function paidNote(checked: CheckedSums): string | null {
  const parts = CHECKED_PARTS.map((part) => checked[part]);
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  if (count === 0) return null;
  const text = checkedText(checked);
  return `Terbayar ${formatRupiah(totalAmount(parts))} (${formatNumber(count)} data)${text && `: ${text}`}`;
}

/** A note of a file: 'Diterima: Semua sudah dicocokkan'; nothing without a text. */
export function noteOf(label: string, text: string): string[] {
  return text === '' ? [] : [`${label}: ${text}`];
}
