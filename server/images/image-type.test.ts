import { expect, it } from 'vitest';
import { detectImageType } from './image-type.ts';

it.each([
  ['ffd8ffe000104a46494600', 'jpg'],
  ['ffd8ff', 'jpg'],
  ['89504e470d0a1a0a0000000d', 'png'],
  ['474946383761', 'gif'],
  ['474946383961ffff', 'gif'],
  // A signature that is cut short, changed by a transfer as text, or not at the beginning does not count.
  ['ffd8', null],
  ['89504e470d0a1a', null],
  ['89504e470a1a0a0000', null],
  ['474946383861', null],
  ['20ffd8ff', null],
  ['3c737667', null],
  ['5249464600000000574542505650', 'webp'],
  ['52494646000000005741564520', null],
  ['424d', null],
  ['', null],
])('detects the type of the bytes %s as %s', (hex, extension) => {
  expect(detectImageType(Buffer.from(hex, 'hex'))).toBe(extension);
});
