import { writeXlsx } from 'hucre/xlsx';

/** Lists of the tax office as files, for tests in the browser. */

export const VILLAGE = '3515180012';
const FIRST_AMOUNT = 45_000;

/** 18 digits; every 40 numbers are a block. */
export function nopOf(number: number): string {
  const block = String(1 + Math.floor(number / 40)).padStart(3, '0');
  return `${VILLAGE}${block}${String(number).padStart(4, '0')}0`;
}

export const dottedNop = (digits: string): string =>
  digits.replace(/^(\d\d)(\d\d)(\d{3})(\d{3})(\d{3})(\d{4})(\d)$/, '$1.$2.$3.$4.$5-$6.$7');

export const amountOf = (number: number): number => FIRST_AMOUNT + 1000 * number;

/** The sum of the objects with the numbers below `count`. */
export const totalOf = (count: number): number =>
  Array.from({ length: count }, (_, number) => amountOf(number)).reduce((sum, amount) => sum + amount, 0);

type Row = (string | number | null)[];

const objectRow = (number: number): Row => [
  number + 1,
  dottedNop(nopOf(number)),
  `WAJIB PAJAK ${String(number).padStart(3, '0')} BIN SLAMET`,
  `JL MELATI NO ${number} RT 05 RW 02`,
  amountOf(number),
  100 + number,
  number % 3 === 0 ? null : 45,
  '30/09/2026',
];

const HEADERS = ['NO', 'NOP', 'NAMA WP', 'ALAMAT OP', 'PAJAK TERHUTANG', 'LUAS TANAH', 'LUAS BGN', 'JATUH TEMPO'];

/** A workbook as an office prints it: titles, a header, the objects, their sum and a signature. */
export async function writeListXlsx(count: number, extraRows: Row[] = []): Promise<Buffer> {
  const rows: Row[] = [
    ['DAFTAR HIMPUNAN KETETAPAN PAJAK'],
    ['DESA SUKAMAJU TAHUN 2026'],
    HEADERS,
    ...Array.from({ length: count }, (_, number) => objectRow(number)),
    ...extraRows,
    ['', '', '', 'JUMLAH', totalOf(count)],
    [],
    ['', '', '', '', '', 'KEPALA DESA'],
  ];
  return Buffer.from(await writeXlsx({ sheets: [{ name: 'BUKU 1', rows }] }));
}

/** A list of two columns whose headers nobody knows. */
export const UNKNOWN_CSV = Buffer.from(
  `sep=;\r\nOBYEK;NAMA WP;BAYAR\r\n${dottedNop(nopOf(900))};JOS\u00C9;45.000\r\n${dottedNop(nopOf(901))};SITI;52.500\r\n`,
  'latin1',
);
