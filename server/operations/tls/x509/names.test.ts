import { describe, expect, it } from 'vitest';
import { addressBytes, addressText, maskBytes } from './names.ts';

describe('IP addresses in certificates', () => {
  it.each([
    ['10.0.0.1', '0a000001'],
    ['::', '00'.repeat(16)],
    ['::1', `${'00'.repeat(15)}01`],
    ['fd00::2', `fd00${'00'.repeat(12)}0002`],
    ['2001:db8:1:2:3:4:5:6', '20010db8000100020003000400050006'],
    ['fc00::', `fc${'00'.repeat(15)}`],
  ])('encodes %s as %s', (address, bytes) => {
    expect(addressBytes(address).toString('hex')).toBe(bytes);
    expect(addressBytes(addressText(addressBytes(address)))).toEqual(addressBytes(address));
  });

  it.each([
    [12, 4, 'fff00000'],
    [32, 4, 'ffffffff'],
    [0, 4, '00000000'],
    [7, 16, `fe${'00'.repeat(15)}`],
  ])('makes a mask of %i one bits and %i bytes', (bits, length, expected) => {
    expect(maskBytes(bits, length).toString('hex')).toBe(expected);
  });
});
