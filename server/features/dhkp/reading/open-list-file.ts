import { openCompoundFile } from './files/cfb.ts';
import { readCsv } from './files/csv.ts';
import { ListFileError, type OpenedFile } from './files/grid.ts';
import { readHtml } from './files/html.ts';
import { readOds } from './files/ods.ts';
import { decodeText } from './files/text-encoding.ts';
import { readXls } from './files/xls.ts';
import { readXlsb } from './files/xlsb.ts';
import { readXlsx } from './files/xlsx.ts';
import { readZipEntries } from './files/zip.ts';
import { listTypeOf } from './list-type.ts';
import { countListHeaders } from './rules/headers.ts';

/**
 * Opens a file of any of the types.
 * @throws ListFileError for a file that is locked, broken or too large
 */
export async function openListFile(bytes: Buffer): Promise<OpenedFile> {
  try {
    switch (listTypeOf(bytes)) {
      case 'xlsx':
        return await readXlsx({ bytes, entries: readZipEntries(bytes) });
      case 'xlsb':
        return await readXlsb({ bytes, entries: readZipEntries(bytes) });
      case 'ods':
        return await readOds({ bytes, entries: readZipEntries(bytes) });
      case 'xls':
        return openXls(bytes);
      case 'html':
        return readHtml(decodeText(bytes));
      case 'csv':
        return openListText(decodeText(bytes));
      case null:
        throw new ListFileError('broken', 'no list');
    }
  } catch (error) {
    // Every other error comes from damaged bytes: a number that is no length, a text that is not UTF-8.
    throw error instanceof ListFileError ? error : new ListFileError('broken', String(error));
  }
}

export function openListText(text: string): OpenedFile {
  return readCsv(text, countListHeaders);
}

function openXls(bytes: Buffer): OpenedFile {
  const file = openCompoundFile(bytes);
  if (file.names.includes('EncryptedPackage')) throw new ListFileError('locked', 'an encrypted package');
  return readXls(file);
}
