import { formatNumber, formatRupiah } from './domain/money/rupiah.ts';

/** The result of 'Tahun Baru' (R-YEAR-9). @param counts the counts of the answer */
export function rolloverText(
  counts: { count: number; outstandingCount: number; newYearCount: number; leftOutCount?: number },
  year: number,
): string {
  const { leftOutCount = 0 } = counts;
  if (leftOutCount === 0) return createdText(counts, year);
  const leftOut = rolloverLeftOutText(leftOutCount, year);
  return counts.count === 0 ? leftOut : `${createdText(counts, year)}. ${leftOut}`;
}

/** The records that a rollover could not make, because the account has reached its quota (R-YEAR-10). */
export function rolloverLeftOutText(leftOutCount: number, year: number): string {
  return `${formatNumber(leftOutCount)} data PBB tahun ${year} belum dibuat karena batas jumlah data akun ini tercapai. Hubungi administrator.`;
}

function createdText(counts: { count: number; outstandingCount: number; newYearCount: number }, year: number): string {
  const text = `Berhasil membuat ${counts.count} data PBB untuk tahun ${year}`;
  if (counts.outstandingCount === 0) return text;
  return `${text} (${counts.outstandingCount} tunggakan, ${counts.newYearCount} data baru)`;
}

/** Said of an amount that a new-year copy suggested and nobody has confirmed (R-YEAR-19). */
export const ESTIMATE_LABEL = 'Perkiraan (naik 10 %)';

/** Said of an amount that the office's list states (R-DHKP-40). */
export const OFFICE_LABEL = 'Menurut daftar kantor';

/** The part of an overdue sum that consists of such amounts, in rupiah; null when there are none (R-YEAR-19). */
export function estimatedPartText({ count, amount }: { count: number; amount: number }): string | null {
  return count === 0 ? null : `termasuk perkiraan ${formatRupiah(amount)} (${formatNumber(count)} data)`;
}
