import { describe, expect, it } from 'vitest';
import {
  BOF_CHART,
  EOF,
  label,
  rowRecord,
  sharedLabel,
  uint16,
  uint32,
  writeXls,
  type XlsRecordParts,
} from '#server/testing/dhkp/xls-records.ts';
import { openCompoundFile } from './cfb.ts';
import { readXls } from './xls.ts';

const open = (globals: XlsRecordParts[], sheet: XlsRecordParts[]) => {
  const [grid] = readXls(openCompoundFile(writeXls(globals, sheet))).grids;
  if (!grid) throw new Error('no sheet');
  return grid;
};
const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

describe('readXls', () => {
  it('marks hidden rows', () => {
    const { rows } = open([], [rowRecord(0, 0), rowRecord(1, 0x20), label(0, 0, 'A'), label(1, 0, 'B')]);
    expect(rows).toEqual([
      { row: 1, cells: ['A'], isHidden: false },
      { row: 2, cells: ['B'], isHidden: true },
    ]);
  });

  it('reads every kind of number', () => {
    const { rows } = open(
      [],
      [
        [0x0203, Buffer.concat([uint16(0, 0, 0), double(351518001200100352)])],
        // Whole 45000; 4550 divided by 100; the upper half of the double 1.5.
        [0x027e, Buffer.concat([uint16(0, 1, 0), uint32((45000 << 2) | 2)])],
        [0x00bd, Buffer.concat([uint16(0, 2, 0), uint32((4550 << 2) | 3), uint16(0), uint32(0x3ff80000), uint16(3)])],
        [0x027e, Buffer.concat([uint16(0, 4, 0), uint32((-7 << 2) | 2)])],
        [0x0205, Buffer.concat([uint16(0, 5, 0), Buffer.from([0x2a, 1])])],
        [0x0205, Buffer.concat([uint16(0, 6, 0), Buffer.from([1, 0])])],
      ],
    );
    expect(rows[0]?.cells).toEqual([351518001200100352, 45000, 45.5, 1.5, -7, '#N/A', true]);
  });

  it('reads the stored values of formulas, of which a text follows later', () => {
    const formula = (column: number, value: Buffer): XlsRecordParts => [
      0x0006,
      Buffer.concat([uint16(0, column, 0), value, uint16(0), uint32(0), uint16(0)]),
    ];
    const special = (kind: number, value: number): Buffer => Buffer.from([kind, 0, value, 0, 0, 0, 0xff, 0xff]);
    const { rows } = open(
      [],
      [
        formula(0, double(20000)),
        formula(1, special(0, 0)),
        [0x04bc, Buffer.alloc(10)],
        [0x0207, Buffer.concat([uint16(3), Buffer.from([1]), Buffer.from('É=1', 'utf16le')])],
        formula(2, special(1, 1)),
        formula(3, special(2, 0x17)),
        formula(4, special(3, 0)),
      ],
    );
    expect(rows[0]?.cells).toEqual([20000, 'É=1', true, '#REF!']);
  });

  it('reads shared texts that go on in the next record, in another width, with formats and readings', () => {
    const first = Buffer.concat([
      uint32(3),
      uint32(3),
      uint16(2),
      Buffer.from([0]),
      Buffer.from('AB'),
      uint16(6),
      Buffer.from([0]),
      Buffer.from('SIT'),
    ]);
    const second = Buffer.concat([
      Buffer.from([1]),
      Buffer.from('I É', 'utf16le'),
      // One format of four bytes and a reading of three, after the text.
      uint16(1),
      Buffer.from([0x0c]),
      uint16(1),
      uint32(3),
      Buffer.from('C'),
      uint16(0, 0),
    ]);
    const { rows } = open(
      [
        [0x00fc, first],
        [0x003c, second],
        [0x003c, Buffer.from([9, 9, 9])],
      ],
      [sharedLabel(0, 0, 0), sharedLabel(0, 1, 1), sharedLabel(0, 2, 2)],
    );
    expect(rows[0]?.cells).toEqual(['AB', 'SITI É', 'C']);
  });

  it('goes on behind a chart inside the sheet', () => {
    const { rows } = open([], [label(0, 0, 'A'), BOF_CHART, label(0, 1, 'in the chart'), EOF, label(1, 0, 'B')]);
    expect(rows.map(({ cells }) => cells)).toEqual([['A'], ['B']]);
  });

  it.each([
    ['a text that is longer than its record', [[0x0204, uint16(0, 0, 0, 900)]]],
    ['a shared text that does not exist', [sharedLabel(0, 0, 5)]],
    ['a formula without a value', [[0x0006, uint16(0, 0, 0)]]],
  ] as [string, XlsRecordParts[]][])('refuses %s', (_, records) => {
    expect(() => open([], records)).toThrow(expect.objectContaining({ reason: 'broken' }));
  });
});
