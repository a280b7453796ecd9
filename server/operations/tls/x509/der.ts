/** Encodes and decodes DER (X.690), the encoding of certificates: only what our certificates need. */

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
};

function encodeElement(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length > 0xffff) throw new RangeError('longer than any certificate of ours');
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...parts: Uint8Array[]): Buffer => encodeElement(TAG.sequence, ...parts);
export const set = (...parts: Uint8Array[]): Buffer => encodeElement(TAG.set, ...parts);
export const octetString = (content: Uint8Array): Buffer => encodeElement(TAG.octetString, content);
export const utf8 = (text: string): Buffer => encodeElement(TAG.utf8, Buffer.from(text));
export const booleanTrue = (): Buffer => encodeElement(TAG.boolean, Buffer.from([0xff]));
/** `[n] EXPLICIT` around an element, or `[n] IMPLICIT` instead of the tag of a constructed element. */
export const contextConstructed = (n: number, ...parts: Uint8Array[]): Buffer => encodeElement(0xa0 + n, ...parts);
/** `[n] IMPLICIT` instead of the tag of a primitive element. */
export const contextPrimitive = (n: number, content: Uint8Array): Buffer => encodeElement(0x80 + n, content);

/** @param bytes big-endian, not negative */
export function integer(bytes: Uint8Array): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0);
  const shortest = start < 0 ? Buffer.alloc(1) : Buffer.from(bytes.subarray(start));
  // A leading one bit would make the integer negative.
  const isHigh = (shortest[0] ?? 0) >= 0x80;
  return encodeElement(TAG.integer, isHigh ? Buffer.concat([Buffer.alloc(1), shortest]) : shortest);
}

/** @param unused the number of unused low bits in the last byte */
export const bitString = (bytes: Uint8Array, unused = 0): Buffer =>
  encodeElement(TAG.bitString, Buffer.from([unused]), bytes);

/** @param dotted as in `2.5.29.17` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return encodeElement(TAG.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
  return digits;
}

/** @param atMs epoch milliseconds; whole seconds are kept */
export function time(atMs: number): Buffer {
  const date = new Date(atMs);
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/\D/g, '')}Z`;
  // RFC 5280 4.1.2.5: two digits for the year until 2049, four from then on.
  return date.getUTCFullYear() < 2050
    ? encodeElement(TAG.utcTime, Buffer.from(digits.slice(2)))
    : encodeElement(TAG.generalizedTime, Buffer.from(digits));
}

export type DerElement = { tag: number; content: Buffer };

/**
 * Decodes the child elements of a constructed element, in order; none for undefined.
 * @throws RangeError when the bytes are not DER
 */
export function readChildren(element: Pick<DerElement, 'content'> | undefined): DerElement[] {
  const bytes = element?.content ?? Buffer.alloc(0);
  const found: DerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const [tag, short] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
    const sizeBytes = short < 0x80 ? 0 : short & 0x7f;
    const length = sizeBytes === 0 ? short : bytes.readUIntBE(at + 2, sizeBytes);
    const start = at + 2 + sizeBytes;
    if (start + length > bytes.length) throw new RangeError('an element is longer than what holds it');
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}
