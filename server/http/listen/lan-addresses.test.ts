import type { NetworkInterfaceInfo } from 'node:os';
import { describe, expect, it } from 'vitest';
import { lanAddresses } from './lan-addresses.ts';

function card(address: string, overrides: Partial<NetworkInterfaceInfo> = {}): NetworkInterfaceInfo {
  const shared = { address, netmask: '', mac: '', internal: false, cidr: null };
  const known = address.includes(':')
    ? { ...shared, family: 'IPv6' as const, scopeid: 0 }
    : { ...shared, family: 'IPv4' as const };
  return { ...known, ...overrides } as NetworkInterfaceInfo;
}

const OFFICE = {
  lo: [card('127.0.0.1', { internal: true }), card('::1', { internal: true })],
  docker0: [card('172.17.0.1')],
  'vEthernet (WSL)': [card('172.20.0.1')],
  wlan0: [card('fe80::1'), card('2001:db8::5'), card('169.254.3.4'), card('192.168.1.10')],
  eth0: [card('203.0.113.7'), card('10.0.0.4')],
};

describe('the addresses of a server on its network', () => {
  it('are those of its cards, the likeliest first, none that leads nowhere', () => {
    expect(lanAddresses('0.0.0.0', 3000, 'http', OFFICE)).toEqual([
      'http://192.168.1.10:3000',
      'http://10.0.0.4:3000',
      'http://203.0.113.7:3000',
      'http://172.17.0.1:3000',
      'http://172.20.0.1:3000',
    ]);
    expect(lanAddresses('::', 3443, 'https', OFFICE)).toEqual([
      'https://192.168.1.10:3443',
      'https://10.0.0.4:3443',
      'https://203.0.113.7:3443',
      'https://[2001:db8::5]:3443',
      'https://172.17.0.1:3443',
      'https://172.20.0.1:3443',
    ]);
  });

  it('are the one that it was told to listen on', () => {
    expect(lanAddresses('192.168.1.10', 80, 'http', OFFICE)).toEqual(['http://192.168.1.10']);
    expect(lanAddresses('2001:db8::5', 3000, 'http', OFFICE)).toEqual(['http://[2001:db8::5]:3000']);
  });

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('are none for %s', (host) => {
    expect(lanAddresses(host, 3000, 'http', OFFICE)).toEqual([]);
  });

  it('are none without a network', () => {
    expect(lanAddresses('0.0.0.0', 3000, 'http', { lo: OFFICE.lo })).toEqual([]);
  });
});
