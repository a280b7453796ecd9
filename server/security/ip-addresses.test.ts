import { expect, it } from 'vitest';
import { addressKey } from './ip-addresses.ts';

it.each([
  ['192.168.1.10', '192.168.1.10'],
  ['::ffff:192.168.1.10', '192.168.1.10'],
  ['2001:db8:1:2::5', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['', ''],
])('counts %j under %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});
