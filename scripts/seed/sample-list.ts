import { writeXlsx, type CellValue, type WriteSheet } from 'hucre/xlsx';
import { FIRST_NAMES, LAST_NAMES, STREETS } from './sample-texts.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A list of the tax office (DHKP) as offices get it: one sheet a dusun, a header of two rows, sums on each page, signatures. */

export const OBJECT_COUNT = 2730;
export const DUSUNS = ['Krajan', 'Karanganyar', 'Sidomulyo', 'Mekarsari'] as const;
export const RWS_PER_DUSUN = 2;
export const RTS_PER_RW = 4;
/** Province, regency, district and village. */
const VILLAGE = '3374010005';
const OTHER_VILLAGE = '3374010006';
const OBJECTS_PER_BLOCK = 70;
const ROWS_PER_PAGE = 40;
/** SISMIOP cuts longer names. */
const NAME_LENGTH_MAX = 30;
const TITLES = ['H.', 'Hj.', 'Drs.', 'Alm.'] as const;

export type SampleObject = {
  nop: string;
  oldNumber: number;
  name: string;
  objectAddress: string;
  payerAddress: string;
  landM2: number;
  buildingM2: number;
  /** Rupiah. */
  amount: number;
  dusun: (typeof DUSUNS)[number];
  rt: string;
  rw: string;
  paidOn: string | null;
};

function buildName(random: SeededRandom): string {
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  const titled = random.withProbability(0.1) ? `${random.pick(TITLES)} ${name}` : name;
  const shared = random.withProbability(0.03)
    ? `${titled} dan ${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`
    : titled;
  return shared.toUpperCase().slice(0, NAME_LENGTH_MAX);
}

function buildAmount(random: SeededRandom): number {
  if (random.withProbability(0.01)) return 0;
  const scale = random.withProbability(0.02) ? 1000 : random.withProbability(0.1) ? 60 : random.pick([5, 10]);
  return random.integer(12, 95) * scale * 100 + random.pick([0, 0, 500, 250] as const);
}

/** The list of a year, as it was printed first. */
export function buildSampleObjects(random: SeededRandom, year: number): SampleObject[] {
  return Array.from({ length: OBJECT_COUNT }, (_, index): SampleObject => {
    const dusun = DUSUNS[Math.floor((index * DUSUNS.length) / OBJECT_COUNT)] ?? DUSUNS[0];
    const [rt, rw] = [random.integer(1, RTS_PER_RW), random.integer(1, RWS_PER_DUSUN)].map((number) =>
      String(number).padStart(3, '0'),
    );
    const amount = buildAmount(random);
    const address = `${random.pick(STREETS)} No. ${random.integer(1, 180)}`;
    return {
      nop: numberOf(VILLAGE, index),
      oldNumber: index + 1,
      name: buildName(random),
      objectAddress: address,
      payerAddress: random.withProbability(0.85) ? address : `${random.pick(STREETS)}, luar desa`,
      landM2: random.integer(40, 2400),
      buildingM2: random.withProbability(0.3) ? 0 : random.integer(21, 240),
      amount,
      dusun,
      rt: rt ?? '001',
      rw: rw ?? '001',
      paidOn:
        amount > 0 && random.withProbability(0.3) ? `${year}-0${random.integer(3, 9)}-${random.integer(10, 28)}` : null,
    };
  });
}

function numberOf(village: string, index: number): string {
  const block = String(1 + Math.floor(index / OBJECTS_PER_BLOCK)).padStart(3, '0');
  return `${village}${block}${String(1 + (index % OBJECTS_PER_BLOCK)).padStart(4, '0')}0`;
}

const raiseAmount = (object: SampleObject): SampleObject => ({ ...object, amount: object.amount + 1500 });

/** A later print of the same year: some amounts changed, some objects are gone, some are new. */
export function buildLaterObjects(random: SeededRandom, objects: readonly SampleObject[]): SampleObject[] {
  const kept = objects.filter((_, index) => index % 390 !== 389);
  const changed = kept.map((object, index) => (index % 13 === 5 && object.amount > 0 ? raiseAmount(object) : object));
  const added = Array.from({ length: 41 }, (_, index): SampleObject => {
    const neighbour = objects[index * 50] as SampleObject;
    return {
      ...neighbour,
      nop: numberOf(VILLAGE, OBJECT_COUNT + OBJECTS_PER_BLOCK + index),
      oldNumber: OBJECT_COUNT + index + 1,
      name: buildName(random),
      paidOn: null,
    };
  });
  return [...changed, ...added];
}

const formatNop = (nop: string): string =>
  [
    [0, 2],
    [2, 4],
    [4, 7],
    [7, 10],
    [10, 13],
  ]
    .map(([from, to]) => nop.slice(from, to))
    .join('.') + `-${nop.slice(13, 17)}.${nop.slice(17)}`;
const groups = (amount: number): string => String(amount).replaceAll(/\B(?=(\d{3})+$)/g, '.');

const HEADERS: CellValue[][] = [
  ['NO', 'NOMOR OBJEK PAJAK', 'NOMOR INDUK', 'NAMA WAJIB PAJAK', 'ALAMAT OBJEK PAJAK', 'ALAMAT WAJIB PAJAK', 'LUAS (M2)', null, 'PAJAK TERHUTANG', 'JATUH TEMPO', 'TGL BAYAR', 'RT', 'RW', 'DUSUN'],
  [null, null, null, null, null, null, 'TANAH', 'BGN', null, null, null, null, null, null],
]; // prettier-ignore
const COLUMNS = HEADERS[0]?.length ?? 0;
const LAND_COLUMN = 6;
const AMOUNT_COLUMN = 8;

/** Amounts are numbers or texts, and numbers of objects have dots or none: real lists mix them. */
function rowOf(object: SampleObject, index: number, year: number): CellValue[] {
  const { nop, oldNumber, name, objectAddress, payerAddress, landM2, buildingM2, amount, paidOn, rt, rw, dusun } =
    object;
  return [
    index + 1,
    index % 3 === 0 ? nop : formatNop(nop),
    oldNumber,
    name,
    objectAddress,
    payerAddress,
    landM2,
    buildingM2,
    index % 4 === 0 ? `Rp ${groups(amount)},-` : amount,
    `30/09/${year}`,
    paidOn,
    rt,
    rw,
    dusun,
  ];
}

const sumRow = (label: string, objects: readonly SampleObject[]): CellValue[] => {
  const row = Array.from({ length: COLUMNS }, (): CellValue => null);
  row[0] = label;
  row[AMOUNT_COLUMN] = objects.reduce((sum, { amount }) => sum + amount, 0);
  return row;
};

function buildSheet(dusun: string, objects: readonly SampleObject[], year: number, oddRows: CellValue[][]): WriteSheet {
  const rows: CellValue[][] = [
    [`DAFTAR HIMPUNAN KETETAPAN PAJAK DAN PEMBAYARAN TAHUN ${year}`],
    ['KABUPATEN SUKASARI'],
    ['KECAMATAN SUKASARI'],
    ['DESA SUKAMAJU', null, null, `DUSUN ${dusun.toUpperCase()}`],
    [],
    ...HEADERS,
    Array.from({ length: COLUMNS }, (_, index) => index + 1),
  ];
  for (let first = 0; first < objects.length; first += ROWS_PER_PAGE) {
    const page = objects.slice(first, first + ROWS_PER_PAGE);
    if (first > 0) rows.push(...HEADERS);
    rows.push(...page.map((object, index) => rowOf(object, first + index, year)), sumRow('JUMLAH HALAMAN', page));
  }
  rows.push(
    ...oddRows,
    sumRow('JUMLAH', objects),
    [],
    [null, null, null, null, null, null, null, null, `Sukamaju, 2 Januari ${year}`],
  );
  rows.push(
    [null, null, null, null, null, null, null, null, 'Kepala Bapenda'],
    [],
    [null, null, null, null, null, null, null, null, 'NIP 197001011995031001'],
  );
  const header = 5;
  const merges = HEADERS[0]?.flatMap((_, column) =>
    column === LAND_COLUMN + 1
      ? []
      : [
          column === LAND_COLUMN
            ? { startRow: header, endRow: header, startCol: column, endCol: column + 1 }
            : { startRow: header, endRow: header + 1, startCol: column, endCol: column },
        ],
  );
  return { name: `DUSUN ${dusun.toUpperCase()}`, rows, ...(merges && { merges }) };
}

const ODD_OBJECT: SampleObject = {
  nop: numberOf(VILLAGE, 0),
  oldNumber: 0,
  name: '',
  objectAddress: 'Jl. Contoh',
  payerAddress: 'Jl. Contoh',
  landM2: 100,
  buildingM2: 0,
  amount: 0,
  dusun: 'Krajan',
  rt: '001',
  rw: '001',
  paidOn: null,
};

/** Rows that no program may guess: a lost number, an amount in words, a short number, an object of another village. */
function buildOddRows(year: number): CellValue[][] {
  const row = (nop: string, amount: CellValue, name: string): CellValue[] =>
    rowOf({ ...ODD_OBJECT, name }, 1, year)
      .toSpliced(1, 1, nop)
      .toSpliced(AMOUNT_COLUMN, 1, amount);
  return [
    row('3,37401E+17', 0, 'NOMOR RUSAK OLEH EXCEL'),
    row(formatNop(numberOf(VILLAGE, 3000)), 'enam puluh ribu', 'KETETAPAN DENGAN HURUF'),
    row(formatNop(numberOf(VILLAGE, 3001)).slice(0, -3), 0, 'NOMOR KURANG DUA ANGKA'),
    row(formatNop(numberOf(OTHER_VILLAGE, 1)), 0, 'MILIK DESA SEBELAH'),
  ];
}

/** @param isOdd whether it also has rows with problems, and a hidden sheet of an earlier year */
export async function writeSampleList(
  objects: readonly SampleObject[],
  year: number,
  isOdd: boolean,
): Promise<Uint8Array> {
  const sheets = DUSUNS.map((dusun, index) =>
    buildSheet(
      dusun,
      objects.filter((object) => object.dusun === dusun),
      year,
      isOdd && index === 0 ? buildOddRows(year) : [],
    ),
  );
  const old = buildSheet('lama', objects.slice(0, 20), year - 1, []);
  return writeXlsx({ sheets: isOdd ? [...sheets, { ...old, name: 'lama', hidden: true }] : sheets });
}
