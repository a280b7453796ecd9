import { isCompoundFile, openCompoundFile } from './files/cfb.ts';
import { isOds } from './files/ods.ts';
import { isZip, readZipEntries } from './files/zip.ts';

/** `xlsx`: .xlsm too; `xls`: also a locked .xlsx, which lies in the same container; `csv`: every text with separators. */
export type ListType = 'xlsx' | 'xlsb' | 'xls' | 'ods' | 'html' | 'csv';

/** The first bytes decide about text. */
const SAMPLE_BYTES = 65_536;
const TABLE = /<table[\s>]/i;
/** Control characters that no text has. Files of DOS may end with U+001A. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000E-\u0019\u001B-\u001F]/;

/**
 * The type of a list by its bytes. What begins like one of the types is one, even if it is cut: reading says that it is
 * broken. Of a package only the directory is read.
 * @returns null for everything else, such as PDF, pictures, .docx
 */
export function listTypeOf(bytes: Buffer): ListType | null {
  if (isZip(bytes)) return typeOfPackage(bytes);
  if (isCompoundFile(bytes)) return typeOfCompoundFile(bytes);
  return typeOfText(bytes);
}

function typeOfPackage(bytes: Buffer): ListType | null {
  try {
    const entries = readZipEntries(bytes);
    const names = [...entries.keys()];
    if (names.some((name) => /(^|\/)workbook\.bin$/.test(name))) return 'xlsb';
    if (names.some((name) => /(^|\/)workbook\.xml$/.test(name))) return 'xlsx';
    return isOds({ bytes, entries }) ? 'ods' : null;
  } catch {
    return 'xlsx';
  }
}

function typeOfCompoundFile(bytes: Buffer): ListType | null {
  try {
    const { names } = openCompoundFile(bytes);
    return names.includes('Workbook') || names.includes('EncryptedPackage') ? 'xls' : null;
  } catch {
    return 'xls';
  }
}

function typeOfText(bytes: Buffer): ListType | null {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  const isUtf16 = ['fffe', 'feff'].includes(start.toString('hex', 0, 2));
  if (start.length === 0 || /^(?:%PDF|\{\\rtf)/.test(start.toString('latin1', 0, 5))) return null;
  if (!isUtf16 && CONTROL.test(start.toString('latin1'))) return null;
  const text = isUtf16 ? start.toString('utf16le').slice(1) : start.toString('utf8').replace(/^\uFEFF/, '');
  if (!text.trimStart().startsWith('<')) return 'csv';
  return TABLE.test(text) || TABLE.test(bytes.toString('latin1')) ? 'html' : null;
}
