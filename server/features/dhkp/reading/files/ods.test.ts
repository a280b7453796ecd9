import { describe, expect, it } from 'vitest';
import { writeOds } from '#server/testing/dhkp/zip-files.ts';
import { readOds } from './ods.ts';
import { readZipEntries } from './zip.ts';

const text = (value: string): string =>
  `<table:table-cell office:value-type="string"><text:p>${value}</text:p></table:table-cell>`;
const open = async (tables: string, styles = '') => {
  const bytes = writeOds(tables, styles);
  return (await readOds({ bytes, entries: readZipEntries(bytes) })).grids;
};
const cellsOf = async (rows: string) => (await open(`<table:table table:name="A">${rows}</table:table>`))[0]?.rows;

describe('readOds', () => {
  it('reads rows inside groups and header rows, hidden ones too', async () => {
    const rows = await cellsOf(
      `<table:table-header-rows><table:table-row>${text('NOP')}</table:table-row></table:table-header-rows>
       <table:table-row-group><table:table-row table:visibility="filter">${text('B')}</table:table-row></table:table-row-group>
       <table:table-row table:visibility="collapse">${text('C')}</table:table-row>`,
    );
    expect(rows).toEqual([
      { row: 1, cells: ['NOP'], isHidden: false },
      { row: 2, cells: ['B'], isHidden: true },
      { row: 3, cells: ['C'], isHidden: true },
    ]);
  });

  it('reads values, not how they are shown', async () => {
    const rows = await cellsOf(`<table:table-row>
      <table:table-cell office:value-type="currency" office:value="45000"><text:p>Rp 45.000</text:p></table:table-cell>
      <table:table-cell office:value-type="date" office:date-value="2026-08-31T00:00:00"><text:p>31/08/26</text:p></table:table-cell>
      <table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>WAHR</text:p></table:table-cell>
      <table:table-cell office:value-type="string" calcext:value-type="error"><text:p>#REF!</text:p></table:table-cell>
      <table:table-cell office:value-type="float" office:value="0.1"/>
    </table:table-row>`);
    expect(rows?.[0]?.cells).toEqual([45000, '2026-08-31', true, '#REF!', 0.1]);
  });

  it('reads spaces, tabs and paragraphs of a text, and no comment', async () => {
    const rows = await cellsOf(`<table:table-row><table:table-cell office:value-type="string">
      <office:annotation><text:p>a comment</text:p></office:annotation>
      <text:p>DSN<text:s text:c="3"/>KRAJAN<text:tab/><text:span>RT</text:span></text:p><text:p>01</text:p>
    </table:table-cell></table:table-row>`);
    expect(rows?.[0]?.cells).toEqual(['DSN   KRAJAN\tRT\n01']);
  });

  it('counts repeated rows and columns, also empty ones without end', async () => {
    const rows =
      await cellsOf(`<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="2"/>
        <table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"/></table:table-row>
      <table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`);
    expect(rows).toEqual([
      { row: 1, cells: [null, null, 7, 7], isHidden: false },
      { row: 2, cells: [null, null, 7, 7], isHidden: false },
    ]);
  });

  it('knows which sheets are hidden, and where cells are merged', async () => {
    const style = (name: string, display: string) =>
      `<style:style style:name="${name}" style:family="table"><style:table-properties table:display="${display}"/></style:style>`;
    const grids = await open(
      `<table:table table:name="A" table:style-name="ta1"><table:table-row>
         <table:table-cell table:number-columns-spanned="2" table:number-rows-spanned="1" office:value-type="string"><text:p>LUAS</text:p></table:table-cell><table:covered-table-cell/>
       </table:table-row></table:table><table:table table:name="lama" table:style-name="ta2"/>`,
      style('ta1', 'true') + style('ta2', 'false'),
    );
    expect(grids.map(({ name, isHidden }) => [name, isHidden])).toEqual([
      ['A', false],
      ['lama', true],
    ]);
    expect(grids[0]?.merges).toEqual([{ firstRow: 1, lastRow: 1, firstColumn: 0, lastColumn: 1 }]);
  });

  it('refuses a declared entity, which could grow without end', async () => {
    await expect(cellsOf(`<table:table-row>${text('&lol;')}</table:table-row>`)).rejects.toMatchObject({
      reason: 'broken',
    });
  });
});
