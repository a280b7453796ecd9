import { describe, expect, it } from 'vitest';
import { chooseNameConstraints, expandHostname, listServerNames } from './host-names.ts';
import { buildHostNetwork } from '#server/testing/network/host-network.ts';

describe('host names of a computer', () => {
  it.each([
    ['Kantor-1', ['kantor-1', 'kantor-1.local']],
    ['pc.desa.go.id', ['pc.desa.go.id', 'pc', 'pc.local']],
    ['mac.local', ['mac.local', 'mac']],
    ['localhost', ['localhost.local']],
    ['KANTOR_PAJAK', ['kantor_pajak', 'kantor_pajak.local']],
    ['nama dengan spasi', []],
    ['kantor…', []],
    ['-x', []],
    ['', []],
    ['a'.repeat(64), []],
  ])('expand from the host name %j', (hostname, expected) => {
    expect(expandHostname(hostname)).toEqual(expected);
  });

  it('contain its hosts and its addresses within the constraints of the authority', () => {
    const machine = buildHostNetwork(
      'kantor',
      '192.168.1.10/24',
      '203.0.113.7/24',
      'fd00::5/64',
      'fe80::1/64',
      '2001:db8::1/64',
    );
    const scope = chooseNameConstraints(machine);
    expect(scope.hosts).toEqual(['localhost', 'local']);
    // A local network with public addresses is included, but only the one in use when the authority was created.
    expect(scope.networks).toContainEqual(['203.0.113.0', 24]);
    expect(listServerNames(machine, scope)).toEqual({
      hosts: ['localhost', 'kantor.local'],
      addresses: ['127.0.0.1', '::1', '192.168.1.10', '203.0.113.7', 'fd00::5'],
    });
    const moved = buildHostNetwork(
      'baru',
      '10.2.3.4/8',
      '203.0.113.99/24',
      '198.51.100.1/24',
      '172.16.0.9/12',
      '172.32.0.9/12',
    );
    expect(listServerNames(moved, scope)).toEqual({
      hosts: ['localhost', 'baru.local'],
      addresses: ['127.0.0.1', '::1', '10.2.3.4', '203.0.113.99', '172.16.0.9'],
    });
  });

  it.each([
    ['dev', []],
    ['bank.local', []],
    ['pc.desa.go.id', ['pc.desa.go.id']],
    ['localhost', []],
  ])('limit a new authority to %j without the names that may be a top-level domain', (hostname, own) => {
    const scope = chooseNameConstraints(buildHostNetwork(hostname));
    expect(scope.hosts).toEqual(['localhost', 'local', ...own]);
  });

  it('stay in the certificates of an authority of version 1.0.0, which has the bare name in its constraints', () => {
    const constraints = { hosts: ['localhost', 'local', 'kantor'], networks: [] };
    const { hosts } = listServerNames(buildHostNetwork('kantor'), constraints);
    expect(hosts).toEqual(['localhost', 'kantor', 'kantor.local']);
  });

  it('include only the own address of a wide public network', () => {
    expect(chooseNameConstraints(buildHostNetwork('x', '8.1.2.3/8')).networks).toContainEqual(['8.1.2.3', 32]);
  });
});
