import type { ListField } from '#shared/domain/dhkp/list-fields.ts';

/** The columns of a list by the words that people read, in the order of the choices. */
export const listFieldLabels: Record<ListField, string> = {
  nop: 'NOP',
  nop_province: 'NOP: provinsi (2 angka)',
  nop_regency: 'NOP: kabupaten (2 angka)',
  nop_district: 'NOP: kecamatan (3 angka)',
  nop_village: 'NOP: desa (3 angka)',
  nop_block: 'NOP: blok (3 angka)',
  nop_number: 'NOP: nomor urut (4 angka)',
  nop_kind: 'NOP: jenis (1 angka)',
  amount: 'Ketetapan',
  name: 'Nama wajib pajak',
  object_address: 'Alamat objek',
  payer_address: 'Alamat wajib pajak',
  land_m2: 'Luas tanah',
  building_m2: 'Luas bangunan',
  njop: 'NJOP',
  amount_changed: 'Perubahan pajak',
  due_date: 'Jatuh tempo',
  paid_on: 'Tanggal bayar',
  paid_amount: 'Jumlah bayar',
  paid_fine: 'Denda dibayar',
  paid_place: 'Tempat bayar',
  paid_flag: 'Tanda lunas',
  old_number: 'Nomor induk',
  book: 'Buku',
  dusun: 'Dusun',
  rt: 'RT',
  rw: 'RW',
  collector: 'Kolektor',
  year: 'Tahun pajak',
};

/** The fields of the NOP where it stands in seven columns. */
export const NOP_PART_FIELDS = [
  'nop_province',
  'nop_regency',
  'nop_district',
  'nop_village',
  'nop_block',
  'nop_number',
  'nop_kind',
] as const satisfies readonly ListField[];

export const isNopPart = (field: ListField): boolean => (NOP_PART_FIELDS as readonly ListField[]).includes(field);

/** The label of a field that a difference names; `listed` is no column. */
export function differenceLabel(field: string): string {
  if (field === 'listed') return 'Di daftar';
  return Object.hasOwn(listFieldLabels, field) ? listFieldLabels[field as ListField] : field;
}

/** The letters by which a spreadsheet names a column: 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}
