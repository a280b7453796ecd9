import { crc32, deflateRawSync } from 'node:zlib';

type Part = string | Buffer | { packed: Buffer; bytes: number; crc: number };

/** A zip with these parts, made by hand: also such that lie about the sizes of their parts. */
export function writeZip(parts: Record<string, Part>, options: { stored?: string[] } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const isStored = options.stored?.includes(name) ?? false;
    const { packed, bytes, crc } = packPart(part, isStored);
    const method = isStored ? 0 : 8;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(crc, 14);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(bytes, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc, 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += local.length + Buffer.byteLength(name) + packed.length;
  }
  const end = Buffer.alloc(22);
  const count = Object.keys(parts).length;
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

function packPart(part: Part, isStored: boolean): { packed: Buffer; bytes: number; crc: number } {
  if (typeof part === 'object' && 'packed' in part) return part;
  const bytes = Buffer.from(part);
  return { packed: isStored ? bytes : deflateRawSync(bytes), bytes: bytes.length, crc: crc32(bytes) };
}

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** The parts of an .xlsx whose sheets all have this XML: for what other programs do not write. */
export function xlsxParts(
  sheet: Part,
  options: { more?: Record<string, Part>; sheetNames?: string[] } = {},
): Record<string, Part> {
  const { more = {}, sheetNames = ['Daftar'] } = options;
  const sheets = sheetNames.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s1"/>`).join('');
  return {
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${sheets}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="s1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': sheet,
    ...more,
  };
}

/** The XML of a sheet with these rows, each of them the XML of its cells. */
export function sheetXml(rows: string[]): string {
  const body = rows.map((cells, index) => `<row r="${index + 1}">${cells}</row>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="${MAIN}"><sheetData>${body}</sheetData></worksheet>`;
}

export const inlineText = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
export const numberCell = (value: string): string => `<c><v>${value}</v></c>`;

/** An OpenDocument spreadsheet with these tables, in the order in which office programs write its parts. */
export function writeOds(tables: string, styles = '', more: Record<string, Part> = {}): Buffer {
  const names = ['office', 'table', 'text', 'style', 'calcext'].map((name) => `xmlns:${name}="urn:${name}"`).join(' ');
  const content = `<?xml version="1.0"?><office:document-content ${names}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`;
  return writeZip(
    { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': content, ...more },
    { stored: ['mimetype'] },
  );
}
