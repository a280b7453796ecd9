import { isUtf8 } from 'node:buffer';

/** Text of a client must be valid UTF-8 (docs/requirements.md R-API-10). Parsers replace other bytes without an error. */

/** Whether the bytes of a query are valid UTF-8, also those that it carries as `%xx`. */
export function hasUtf8Query(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0) return true;
  const query = url.slice(start + 1);
  // Node reads each byte of the request line as one character.
  const bytes = query.replaceAll(/%([\da-f]{2})/gi, (_escape, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return isUtf8(Buffer.from(bytes, 'latin1'));
}

const LINE_END = '\r\n';
const HEADERS_END = '\r\n\r\n';
const FILE_PART = /^content-disposition:.*;\s*filename\*?=|^content-type:\s*application\/octet-stream/im;

export type FormEncodingCheck = { write: (chunk: Buffer) => void; isUtf8: () => boolean };

/**
 * Reads a multipart form beside its parser, and checks the headers of all parts (names of fields and files) and the
 * texts of the fields. Contents of files are skipped.
 * @param maxTextBytes the parser refuses longer texts and headers, so they are not collected
 */
export function createFormEncodingCheck(contentType: string, maxTextBytes: number): FormEncodingCheck {
  const [, quoted, plain = ''] = /boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType) ?? [];
  const delimiter = Buffer.from(`${LINE_END}--${quoted ?? plain}`, 'latin1');
  let expected: 'headers' | 'text' | 'skipped' = 'skipped';
  // The delimiter of the first part need not follow a line.
  let pending = Buffer.from(LINE_END);
  let isValid = true;

  /** @returns whether a whole section was read, so that another one may follow */
  function readSection(): boolean {
    const end = pending.indexOf(expected === 'headers' ? HEADERS_END : delimiter);
    if (end < 0) {
      if (pending.length > maxTextBytes) expected = 'skipped';
      // A delimiter may be cut by the end of the chunk.
      if (expected === 'skipped') pending = pending.subarray(Math.max(0, pending.length - delimiter.length + 1));
      return false;
    }
    const section = pending.subarray(0, end);
    if (expected !== 'skipped' && !isUtf8(section)) isValid = false;
    if (expected === 'headers') {
      expected = FILE_PART.test(section.toString('latin1')) ? 'skipped' : 'text';
      // The delimiter after an empty text begins with the end of the headers.
      pending = pending.subarray(end + HEADERS_END.length - LINE_END.length);
    } else {
      expected = 'headers';
      pending = pending.subarray(end + delimiter.length);
    }
    return true;
  }

  return {
    write(chunk) {
      if (!isValid) return;
      pending = Buffer.concat([pending, chunk]);
      while (isValid && readSection());
    },
    isUtf8: () => isValid,
  };
}
