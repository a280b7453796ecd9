import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import type { HostNetwork } from '#server/operations/tls/host-names.ts';

/** @param addresses as in `192.168.1.10/24` */
export function buildHostNetwork(hostname: string, ...addresses: string[]): HostNetwork {
  return { hostname, interfaces: { lan: addresses.map(interfaceOf) } };
}

function interfaceOf(cidr: string): NetworkInterfaceInfo {
  const [address = ''] = cidr.split('/');
  const common = { address, cidr, netmask: '', mac: '00:00:00:00:00:00', internal: false };
  return isIPv4(address) ? { ...common, family: 'IPv4' } : { ...common, family: 'IPv6', scopeid: 0 };
}
