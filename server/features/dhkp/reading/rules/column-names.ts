import type { ListField } from '#shared/domain/dhkp/list-fields.ts';

/** The names of columns as offices and SISMIOP print them, without spaces and punctuation. */
const NAMES: Record<ListField, readonly string[]> = {
  nop: [
    'NOP',
    'NOOBJEKPAJAK',
    'NOMOROBJEKPAJAK',
    'NOPQ',
    'NOMOROBJEKPAJAKNOP',
    'NOPNOMOROBJEKPAJAK',
    'NOPNOOBJEKPAJAK',
  ],
  nop_province: ['KDPROPINSI', 'KDPROVINSI'],
  nop_regency: ['KDDATI2', 'KDDATIII', 'KDKABUPATEN'],
  nop_district: ['KDKECAMATAN'],
  nop_village: ['KDKELURAHAN', 'KDDESA'],
  nop_block: ['KDBLOK'],
  nop_number: ['NOURUT'],
  nop_kind: ['KDJNSOP', 'KDJENISOP'],
  name: ['NAMAWP', 'NAMAWAJIBPAJAK', 'NMWPSPPT', 'NMWP', 'NAMA', 'NAMAWPSPPT'],
  object_address: [
    'ALAMATOP',
    'ALAMATOBJEKPAJAK',
    'ALAMATOBJEK',
    'LETAKOBJEK',
    'LETAKOBJEKPAJAK',
    'LETAKOP',
    'JALANOP',
    // One column for both.
    'ALAMATOBJEKPAJAKWAJIBPAJAK',
    'ALAMATOBJEKPAJAKDANWAJIBPAJAK',
    'ALAMATOPWP',
    'OBJEKPAJAKALAMAT',
    'OBJEKPAJAKLETAK',
  ],
  payer_address: ['ALAMATWP', 'ALAMATWAJIBPAJAK', 'JLNWPSPPT', 'JALANWP', 'WAJIBPAJAKALAMAT'],
  land_m2: ['LUASTANAH', 'LUASBUMI', 'LBUMI', 'LTANAH', 'LUASTNH', 'LUASBUMISPPT'],
  building_m2: [
    'LUASBANGUNAN',
    'LBANGUNAN',
    'LBNG',
    'LBGN',
    'BGN',
    'BNG',
    'LUASBGN',
    'LUASBNG',
    'LUASBNGSPPT',
    'LUASBANG',
  ],
  njop: ['NJOP', 'TOTALNJOP', 'NJOPTOTAL', 'NJOPSPPT'],
  amount: [
    'KETETAPAN',
    'KETETAPANPBB',
    'KETETAPANPAJAK',
    'PAJAKTERHUTANG',
    'PAJAKTERUTANG',
    'PBB',
    'PBBTERHUTANG',
    'PBBTERUTANG',
    'PBBTERHUTANGSPPT',
    'POKOK',
    'PBBYANGHARUSDIBAYAR',
    'PBBYGHARUSDIBAYAR',
    'PBBYGHARUSDIBAYARSPPT',
  ],
  amount_changed: ['PERUBAHANPAJAK', 'PAJAKPERUBAHAN'],
  due_date: ['JATUHTEMPO', 'TGLJATUHTEMPO', 'TANGGALJATUHTEMPO', 'TGLJATUHTEMPOSPPT'],
  paid_on: ['TGLBAYAR', 'TANGGALBAYAR', 'TGLPEMBAYARAN', 'TANGGALPEMBAYARAN', 'PEMBAYARANTGL', 'PEMBAYARANTANGGAL'],
  paid_amount: ['PEMBAYARAN', 'JMLBAYAR', 'JUMLAHBAYAR', 'JMLSPPTYGDIBAYAR', 'PEMBAYARANJUMLAH', 'PEMBAYARANPOKOK'],
  paid_fine: ['DENDA', 'PEMBAYARANDENDA'],
  paid_place: ['TEMPATBAYAR', 'TEMPATPEMBAYARAN', 'PEMBAYARANTEMPAT'],
  paid_flag: ['LUNAS', 'STATUS', 'STATUSPEMBAYARAN', 'STATUSPEMBAYARANSPPT', 'STATUSBAYAR'],
  old_number: ['NOINDUK', 'NOMORINDUK'],
  book: ['BUKU'],
  dusun: ['DUSUN'],
  rt: ['RT'],
  rw: ['RW'],
  collector: ['DIKELOLA', 'DIKELOLAOLEH', 'PENARIK', 'KOLEKTOR', 'PETUGAS'],
  year: ['TAHUN', 'TAHUNPAJAK', 'THNPAJAK', 'THNPAJAKSPPT'],
};

const FIELD_BY_NAME = new Map(
  (Object.keys(NAMES) as ListField[]).flatMap((field) => NAMES[field].map((name) => [name, field] as const)),
);

/** The seven columns of SISMIOP that make a NOP, in its order, each with the number of its digits. */
export const NOP_PARTS = [
  ['nop_province', 2],
  ['nop_regency', 2],
  ['nop_district', 3],
  ['nop_village', 3],
  ['nop_block', 3],
  ['nop_number', 4],
  ['nop_kind', 1],
] as const satisfies [ListField, number][];

/** Columns of row numbers are no unknown columns. `NO URUT` is a part of the NOP only beside the other six. */
const ROW_NUMBERS = new Set(['NO', 'NOURUT', 'NOMOR', 'NOMORURUT', 'URUT', 'NR']);

/** Amounts after a reduction; what is owed before it stands beside them. */
const AFTER_REDUCTION = new Set(['PBBYANGHARUSDIBAYAR', 'PBBYGHARUSDIBAYAR', 'PBBYGHARUSDIBAYARSPPT']);
const OWED = new Set(['PAJAKTERHUTANG', 'PAJAKTERUTANG', 'PBBTERHUTANG', 'PBBTERUTANG', 'PBBTERHUTANGSPPT']);
/** Beside a column of payments it is the part of a payment without the fine. */
const PRINCIPAL = 'POKOK';

const UNITS = /\b(?:M2|RP|RUPIAH|IDR|DALAM|RIBUAN|RIBU|X ?1 ?000|000|METER|PERSEGI)\b/g;
const THOUSANDS = /\bribuan\b|\bdalam ribu\b|(?:\bx|×)\s*1[.,\s]?000\b|\(\s*(?:rp\.?\s*)?\.?000\s*\)/i;
/** Below such a header `POKOK` or `PBB` is not the assessment of the year. */
const OTHER_MONEY = /BAYAR|TUNGGAKAN|PIUTANG|SISA|REALISASI|LALU|DENDA/;

/** A header without letter case, punctuation, line breaks and units. */
export function compactHeader(text: string): string {
  return (
    text
      .toUpperCase()
      .replaceAll('²', '2')
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .replaceAll(UNITS, ' ')
      // The older spelling is still printed.
      .replaceAll('OBYEK', 'OBJEK')
      .replaceAll(' ', '')
  );
}

export function saysThousands(text: string): boolean {
  return THOUSANDS.test(text);
}

/**
 * The meaning of a column.
 * @param parts the texts above a column, the topmost first: a group such as `WAJIB PAJAK` above `NAMA` is left out
 */
export function fieldOfHeader(parts: readonly string[]): { field: ListField; name: string } | null {
  for (let from = 0; from < parts.length; from += 1) {
    const name = compactHeader(parts.slice(from).join(' '));
    const field = FIELD_BY_NAME.get(name);
    if (!field) continue;
    const group = compactHeader(parts.slice(0, from).join(' '));
    return (field === 'amount' || field === 'njop') && OTHER_MONEY.test(group) ? null : { field, name };
  }
  return null;
}

export function isNopHeader(text: string): boolean {
  return FIELD_BY_NAME.get(compactHeader(text)) === 'nop';
}

export function isRowNumberHeader(text: string): boolean {
  return ROW_NUMBERS.has(compactHeader(text));
}

/**
 * The column of the amount among several: the one after a reduction stands beside the one that is owed before it. A
 * principal counts only alone, and beside payments it may be a part of them.
 * @returns null when nothing says which
 */
export function chooseAmount<T extends { name: string }>(columns: readonly T[], hasPayments: boolean): T | null {
  const strong = columns.filter(({ name }) => name !== PRINCIPAL);
  if (strong.length === 0) return columns.length === 1 && !hasPayments ? (columns[0] ?? null) : null;
  const reduced = strong.filter(({ name }) => AFTER_REDUCTION.has(name));
  const others = strong.filter(({ name }) => !AFTER_REDUCTION.has(name) && !OWED.has(name));
  const left = reduced.length > 0 && others.length === 0 ? reduced : strong;
  return left.length === 1 ? (left[0] ?? null) : null;
}
