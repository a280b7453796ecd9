import type { FilterPart } from '#client/ui/list/filter/result-line.tsx';
import {
  choicePart,
  keysOf,
  sortPart,
  textPart,
  type UrlParts,
  wordPart,
  yearPart,
} from '#client/ui/list/filter/url-filter.ts';
import { DHKP_YEAR_PARAM } from '#client/paths.ts';
import { conditionLabels } from '#shared/domain/dhkp/list-states.ts';
import type { AssessmentFilter } from '../api.ts';
import { bookText, listedLabels, PAID_AT_AUTHORITY } from '../display/assessment-texts.ts';

export const sortLabels: Record<AssessmentFilter['sort'], string> = {
  nop: 'NOP terkecil',
  '-nop': 'NOP terbesar',
  name: 'Nama A–Z',
  '-name': 'Nama Z–A',
  '-amount': 'Ketetapan terbesar',
  amount: 'Ketetapan terkecil',
  area: 'Wilayah A–Z',
  '-area': 'Wilayah Z–A',
};

export const bookLabels = {
  1: bookText(1),
  2: bookText(2),
  3: bookText(3),
  4: bookText(4),
  5: bookText(5),
} as const;
export const linkedLabels = { 1: 'Terhubung', 0: 'Belum terhubung' } as const;
export const handedOutLabels = { 1: 'Sudah diserahkan', 0: 'Belum diserahkan' } as const;
export const paidLabels = { no: 'Belum Lunas', authority: PAID_AT_AUTHORITY } as const;

const yesNo = { 1: 'ya', 0: 'tidak' } as const;
const conditionWords = { ok: 'sesuai', not_found: 'tidak-ditemukan', double: 'ganda', wrong_name: 'nama-salah' };

/** The filter of the list in its address. */
export const listFilterParts: UrlParts<AssessmentFilter> = {
  search: textPart('cari'),
  year: yearPart(DHKP_YEAR_PARAM),
  area_id: textPart('wilayah'),
  block: textPart('blok'),
  book: choicePart('buku', ['1', '2', '3', '4', '5']),
  collector_id: textPart('kolektor'),
  linked: wordPart<'1' | '0'>('akun', { 1: 'terhubung', 0: 'belum' }),
  listed: wordPart<'1' | '0'>('tercantum', yesNo),
  condition: wordPart('keadaan', conditionWords),
  handed_out: wordPart<'1' | '0'>('sppt', yesNo),
  paid: wordPart('bayar', { no: 'belum', authority: 'lunas' }),
  sort: sortPart('urut', keysOf(sortLabels), 'nop'),
};

/** The names of what a filter has only as ids. */
export type FilterNames = { area: string | undefined; collector: string | undefined };

/** Each part of the filter that hides objects of the year, in words. */
export function activeFilterParts(filter: AssessmentFilter, names: FilterNames): FilterPart<keyof AssessmentFilter>[] {
  const { search, area_id, block, book, collector_id, linked, listed, condition, handed_out, paid } = filter;
  const parts: FilterPart<keyof AssessmentFilter>[] = [
    { label: 'Pencarian', value: search, keys: ['search'] },
    { label: 'Wilayah', value: area_id && (names.area ?? area_id), keys: ['area_id'] },
    { label: 'Blok', value: block, keys: ['block'] },
    { label: 'Buku', value: book && bookLabels[book], keys: ['book'] },
    { label: 'Kolektor', value: collector_id && (names.collector ?? collector_id), keys: ['collector_id'] },
    { label: 'Akun', value: linked && linkedLabels[linked], keys: ['linked'] },
    { label: 'Di daftar', value: listed && listedLabels[listed], keys: ['listed'] },
    { label: 'Keadaan', value: condition && conditionLabels[condition], keys: ['condition'] },
    { label: 'SPPT', value: handed_out && handedOutLabels[handed_out], keys: ['handed_out'] },
    { label: 'Pembayaran', value: paid && paidLabels[paid], keys: ['paid'] },
  ];
  return parts.filter(({ value }) => value !== '');
}
