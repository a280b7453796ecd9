import { describe, expect, it } from 'vitest';
import { sheetXml, writeZip, xlsxParts } from '#server/testing/dhkp/zip-files.ts';
import { readXlsx } from './xlsx.ts';
import { readZipEntries } from './zip.ts';

const open = (parts: Parameters<typeof writeZip>[0]) => {
  const bytes = writeZip(parts);
  return readXlsx({ bytes, entries: readZipEntries(bytes) });
};
const cellsOf = async (xml: string) => (await open(xlsxParts(xml))).grids[0]?.rows.map(({ cells }) => cells);
const OFFICE = 'http://purl.oclc.org/ooxml/officeDocument/relationships';

describe('readXlsx', () => {
  it('reads every kind of cell', async () => {
    const cells = [
      '<c r="A1"><v>351518001200100340</v></c>',
      '<c r="B1" t="n"><v>1.5E3</v></c>',
      '<c r="C1" t="b"><v>1</v></c>',
      '<c r="D1" t="e"><v>#REF!</v></c>',
      '<c r="E1" t="str"><f>A1</f><v>SITI &amp; BUDI</v></c>',
      '<c r="F1" t="d"><v>2026-08-31T00:00:00Z</v></c>',
      '<c r="G1"><f>SUM(A1)</f></c>',
      '<c r="I1" t="inlineStr"><is><r><t>RT</t></r><r><t xml:space="preserve"> 01</t></r><rPh sb="0" eb="1"><t>x</t></rPh></is></c>',
      '<c r="J1" t="inlineStr"><is><t>DSN_x000D__x000A_KRAJAN _x005F_x41_</t></is></c>',
    ].join('');
    expect(await cellsOf(sheetXml([cells]))).toEqual([
      [
        351518001200100352,
        1500,
        true,
        '#REF!',
        'SITI & BUDI',
        '2026-08-31',
        null,
        null,
        'RT 01',
        'DSN\r\nKRAJAN _x41_',
      ],
    ]);
  });

  it('reads rows and cells without references, and elements with a prefix', async () => {
    const xml = `<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>1</x:v></x:c><x:c/><x:c><x:v>3</x:v></x:c></x:row><x:row r="5"><x:c r="B5"><x:v>2</x:v></x:c></x:row></x:sheetData></x:worksheet>`;
    const { grids } = await open(xlsxParts(xml));
    expect(grids[0]?.rows).toEqual([
      { row: 1, cells: [1, null, 3], isHidden: false },
      { row: 5, cells: [null, 2], isHidden: false },
    ]);
  });

  it('finds the parts by their relationships, also of the strict format and in capitals', async () => {
    const { grids } = await open({
      '_rels/.rels': `<Relationships><Relationship Id="a" Type="${OFFICE}/officeDocument" Target="/Book/Workbook.xml"/></Relationships>`,
      'book/workbook.xml': `<workbook xmlns:q="x"><workbookPr date1904="1"/><sheets><sheet name="A" q:id="s"/><sheet name="Grafik" q:id="c"/></sheets></workbook>`,
      'book/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s" Type="${OFFICE}/worksheet" Target="../data/one.xml"/><Relationship Id="c" Type="${OFFICE}/chartsheet" Target="chart.xml"/><Relationship Id="t" Type="${OFFICE}/sharedStrings" Target="texts.xml"/></Relationships>`,
      'book/texts.xml': '<sst><si><t>SITI</t></si><si/><si><r><t>A</t></r><r><t>B</t></r></si></sst>',
      'data/one.xml': sheetXml(['<c t="s"><v>2</v></c><c t="s"><v>0</v></c><c t="s"><v>1</v></c>']),
    });
    expect(grids.map(({ name, rows }) => [name, rows[0]?.cells])).toEqual([['A', ['AB', 'SITI']]]);
  });

  it('keeps where cells are merged', async () => {
    const xml = sheetXml(['<c><v>1</v></c>']).replace(
      '</worksheet>',
      '<mergeCells><mergeCell ref="E6:AF6"/></mergeCells></worksheet>',
    );
    const { grids } = await open(xlsxParts(xml));
    expect(grids[0]?.merges).toEqual([{ firstRow: 6, lastRow: 6, firstColumn: 4, lastColumn: 31 }]);
  });

  it.each([
    ['a shared text that does not exist', sheetXml(['<c t="s"><v>7</v></c>'])],
    ['a row before the first', sheetXml(['']).replace('r="1"', 'r="0"')],
    ['a cell without a column', sheetXml(['<c r="12"><v>1</v></c>'])],
    ['tags that do not fit', sheetXml(['<c><v>1</c></v>'])],
    ['bytes that are not UTF-8', Buffer.from(sheetXml(['<c t="str"><v>É</v></c>']), 'latin1')],
  ])('refuses %s', async (_, xml) => {
    await expect(open(xlsxParts(xml))).rejects.toThrow();
  });
});
