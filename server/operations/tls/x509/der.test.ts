import { describe, expect, it } from 'vitest';
import { bitString, readChildren, integer, octetString, oid, sequence, time } from './der.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('DER', () => {
  it.each([
    ['00', '020100'],
    ['02', '020102'],
    ['7f', '02017f'],
    // A leading one bit would make the integer negative.
    ['80', '02020080'],
    ['0001', '020101'],
    ['ff00', '020300ff00'],
  ])('writes the integer %s in its shortest form', (bytes, expected) => {
    expect(hex(integer(Buffer.from(bytes, 'hex')))).toBe(expected);
  });

  it.each([
    ['2.5.29.17', '0603551d11'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('writes the object identifier %s', (dotted, expected) => {
    expect(hex(oid(dotted))).toBe(expected);
  });

  it('writes years with two digits until 2049 and with four from then on', () => {
    expect(time(Date.parse('2049-12-31T23:59:59.999Z')).toString('latin1')).toContain('491231235959Z');
    expect(hex(time(0)).slice(0, 4)).toBe('170d');
    expect(time(Date.parse('2050-01-01T00:00:00Z')).toString('latin1')).toContain('20500101000000Z');
    expect(hex(time(Date.parse('2050-01-01T00:00:00Z'))).slice(0, 4)).toBe('180f');
  });

  it.each([0, 1, 127, 128, 255, 256, 65_535])('reads an element of %i bytes that it wrote', (length) => {
    const content = Buffer.alloc(length, 7);
    expect(readChildren({ content: Buffer.concat([octetString(content), bitString(Buffer.from([6]), 1)]) })).toEqual([
      { tag: 0x04, content },
      { tag: 0x03, content: Buffer.from([1, 6]) },
    ]);
  });

  it.each(['30', '3005', '300500', '30820100', '3084ffffffff00'])('rejects truncated bytes: %s', (bytes) => {
    expect(() => readChildren({ content: Buffer.from(bytes, 'hex') })).toThrow(RangeError);
  });

  it('rejects content longer than 65,535 bytes', () => {
    expect(() => sequence(Buffer.alloc(65_536))).toThrow(RangeError);
  });
});
