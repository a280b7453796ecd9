import { formatNumber, formatRupiah, showDate } from '#client/lib/format.ts';
import type { Batch, BatchRow, BatchRowValues } from '#shared/api/dhkp/batches.ts';
import type { BatchKind, BatchState, RowFilter } from '#shared/domain/dhkp/list-states.ts';
import { bookText } from '../display/assessment-texts.ts';

const stateLabels: Record<BatchState, string> = {
  reading: 'Sedang dibaca',
  mapping: 'Kolom belum dipilih',
  ready: 'Menunggu diterapkan',
  applying: 'Sedang diterapkan',
  applied: 'Diterapkan',
  reverted: 'Dibatalkan',
  failed: 'Gagal dibaca',
};

/** The state of an import in words. One that is being put back is 'applying' as well, with the reason for it. */
export function stateText({ state, revert_reason: reason }: Pick<Batch, 'state' | 'revert_reason'>): string {
  return state === 'applying' && reason !== null ? 'Sedang dibatalkan' : stateLabels[state];
}

export const stateColors: Record<BatchState, 'laut' | 'yellow' | 'green' | 'gray' | 'red'> = {
  reading: 'laut',
  mapping: 'yellow',
  ready: 'yellow',
  applying: 'laut',
  applied: 'green',
  reverted: 'gray',
  failed: 'red',
};

export const kindLabels: Record<BatchKind, string> = {
  list: 'Daftar ketetapan',
  payments: 'Hanya pembayaran',
};

/** The kinds of rows in the order of the preview. */
export const rowKindLabels = {
  new: 'Baru',
  changed: 'Berubah',
  same: 'Sama',
  gone: 'Tidak ada lagi',
  problem: 'Bermasalah',
  warning: 'Peringatan',
  other_village: 'Desa lain',
} as const satisfies Partial<Record<RowFilter, string>>;
export type CountedKind = keyof typeof rowKindLabels;

/** 'Baru 41 · Berubah 212 · Sama 2.470 · Tidak ada lagi 7 · Bermasalah 3' */
export function countsText({ counts }: Pick<Batch, 'counts'>): string {
  const shown = ['new', 'changed', 'same', 'gone', 'problem'] as const;
  return shown.map((kind) => `${rowKindLabels[kind]} ${formatNumber(counts[kind])}`).join(' · ');
}

/** The place of a row in the file: 'Lembar BUKU 1, baris 118'. */
export function rowPlace({ sheet, row }: { sheet: string; row: number | null }): string {
  if (row === null) return sheet === '' ? 'Tidak ada di berkas' : `Lembar ${sheet}`;
  return sheet === '' ? `Baris ${formatNumber(row)}` : `Lembar ${sheet}, baris ${formatNumber(row)}`;
}

const AMOUNTS: readonly string[] = ['njop', 'amount', 'amount_changed', 'paid_amount', 'paid_fine'];
const DATES: readonly string[] = ['due_date', 'paid_on'];
const AREAS: readonly string[] = ['land_m2', 'building_m2'];

/** One value of a row in words; '(kosong)' where there is none. */
export function valueText(field: string, values: BatchRowValues | null): string {
  const value = values?.[field as keyof BatchRowValues] ?? null;
  if (value === null || value === '') return '(kosong)';
  if (typeof value === 'boolean') return value ? 'ya' : 'tidak';
  if (AMOUNTS.includes(field)) return formatRupiah(Number(value));
  if (AREAS.includes(field)) return `${formatNumber(Number(value))} m²`;
  return DATES.includes(field) ? showDate(String(value)) : String(value);
}

/** All notes of a row, its problems first. */
export const notesOf = ({ problems, warnings }: BatchRow) => [...problems, ...warnings];

type Control = Batch['control'];

/** The total of the file: the sum of its control totals; null where it has none with an amount. */
function fileAmount({ file }: Control): number | null {
  const amounts = file.flatMap(({ amount }) => (amount === null ? [] : [amount]));
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}

/** A control total beside the sum of the rows: 'Jumlah di berkas Rp 2 = jumlah baris Rp 2', or with the difference. */
function amountLine(label: string, stated: number, computed: number): string {
  const sums = [`${label} ${formatRupiah(stated)}`, `jumlah baris ${formatRupiah(computed)}`];
  return stated === computed
    ? sums.join(' = ')
    : `${sums.join(', ')}: berbeda ${formatRupiah(Math.abs(stated - computed))}`;
}

function objectsLine(label: string, stated: number, computed: number): string {
  const counts = [`${label} ${formatNumber(stated)}`, `baris ${formatNumber(computed)}`];
  return stated === computed
    ? counts.join(' = ')
    : `${counts.join(', ')}: berbeda ${formatNumber(Math.abs(stated - computed))}`;
}

/** Each control total beside the sum of the rows: that of the file, and those typed from paper. */
export function controlLines(control: Control): string[] {
  const { computed, typed } = control;
  const inFile = fileAmount(control);
  const lines = inFile === null ? [] : [amountLine('Jumlah di berkas', inFile, computed.amount)];
  if (typed === null) return lines;
  if (typed.amount !== null) lines.push(amountLine('Jumlah di daftar kertas', typed.amount, computed.amount));
  if (typed.objects !== null) lines.push(objectsLine('Objek di daftar kertas', typed.objects, computed.objects));
  for (const { book, objects, amount } of typed.books) {
    const sum = computed.books.find((each) => each.book === book);
    const label = `${bookText(book)} di daftar kertas`;
    if (amount !== null) lines.push(amountLine(label, amount, sum?.amount ?? 0));
    if (objects !== null) lines.push(objectsLine(`Objek ${label}`, objects, sum?.objects ?? 0));
  }
  return lines;
}
