import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { lanAddresses } from './lan-addresses.ts';

function buildInterface(address: string, overrides: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo {
  const shared = { address, netmask: '', mac: '', internal: false, cidr: null };
  const known = address.includes(':')
    ? { ...shared, family: 'IPv6' as const, scopeid: 0 }
    : { ...shared, family: 'IPv4' as const };
  return { ...known, ...overrides } as NetworkInterfaceInfo;
}

const INTERFACES = {
  lo: [buildInterface('127.0.0.1', { internal: true }), buildInterface('::1', { internal: true })],
  docker0: [buildInterface('172.17.0.1')],
  'vEthernet (WSL)': [buildInterface('172.20.0.1')],
  wlan0: [
    buildInterface('fe80::1'),
    buildInterface('2001:db8::5'),
    buildInterface('169.254.3.4'),
    buildInterface('192.168.1.10'),
  ],
  eth0: [buildInterface('203.0.113.7'), buildInterface('10.0.0.4')],
};

describe('lanAddresses', () => {
  it('returns the addresses of all interfaces, the most likely first, without link-local ones', () => {
    expect(lanAddresses('0.0.0.0', 3000, 'http', INTERFACES)).toEqual([
      'http://192.168.1.10:3000',
      'http://10.0.0.4:3000',
      'http://203.0.113.7:3000',
      'http://172.17.0.1:3000',
      'http://172.20.0.1:3000',
    ]);
    expect(lanAddresses('::', 3443, 'https', INTERFACES)).toEqual([
      'https://192.168.1.10:3443',
      'https://10.0.0.4:3443',
      'https://203.0.113.7:3443',
      'https://[2001:db8::5]:3443',
      'https://172.17.0.1:3443',
      'https://172.20.0.1:3443',
    ]);
  });

  it('returns only the address on which the server listens', () => {
    expect(lanAddresses('192.168.1.10', 80, 'http', INTERFACES)).toEqual(['http://192.168.1.10']);
    expect(lanAddresses('2001:db8::5', 3000, 'http', INTERFACES)).toEqual(['http://[2001:db8::5]:3000']);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('returns no address for the loopback host %s', (host) => {
    expect(lanAddresses(host, 3000, 'http', INTERFACES)).toEqual([]);
  });

  it('returns no address without a network', () => {
    expect(lanAddresses('0.0.0.0', 3000, 'http', { lo: INTERFACES.lo })).toEqual([]);
  });
});
