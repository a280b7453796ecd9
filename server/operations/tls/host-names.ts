import type { networkInterfaces } from 'node:os';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isNarrowHost, LOCAL_HOSTS, type NameConstraints, type ServerNames, type Subnet } from './x509/names.ts';

/** Host name and network interfaces of this computer. Tests give other values. */
export type HostNetwork = { hostname: string; interfaces: ReturnType<typeof networkInterfaces> };

/**
 * The address ranges of local networks. The authority is limited to them: a stolen key of it cannot be used to attack
 * connections to the internet.
 */
const PRIVATE_NETWORKS: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  // Link-local addresses, and the range that some carriers and VPNs assign.
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
];
/** In a public network with a shorter prefix than this, only the computer's own address counts. */
const OWN_PREFIX_MIN_BITS = 16;

const createBlockList = (networks: readonly Subnet[]): BlockList => {
  const list = new BlockList();
  for (const [start, bits] of networks) list.addSubnet(start, bits, isIPv4(start) ? 'ipv4' : 'ipv6');
  return list;
};
const isListed = (list: BlockList, address: string): boolean =>
  isIPv4(address) ? list.check(address, 'ipv4') : isIPv6(address) && list.check(address, 'ipv6');

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** @returns the names of a computer with this host name: in full, its first label, and with `.local` */
export function expandHostname(hostname: string): string[] {
  const full = hostname.toLowerCase();
  const labels = full.split('.');
  const [first = ''] = labels;
  if (full.length > 253 || !labels.every((label) => LABEL.test(label))) return [];
  return [...new Set([full, first, `${first}.local`])].filter((name) => name !== 'localhost');
}

/** The constraints of a new authority. They still fit after a move to another private network. */
export function chooseNameConstraints({ hostname, interfaces }: HostNetwork): NameConstraints {
  const isPrivate = createBlockList(PRIVATE_NETWORKS);
  // Some local networks use public addresses that belong to others.
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ address, family, internal }) => family === 'IPv4' && !internal && !isListed(isPrivate, address))
    .map(({ address, cidr }): Subnet => {
      const bits = Number(cidr?.split('/')[1] ?? 32);
      return [address, bits < OWN_PREFIX_MIN_BITS ? 32 : bits];
    });
  const hosts = expandHostname(hostname).filter((host) => isNarrowHost(host) && !host.endsWith('.local'));
  return { hosts: [...LOCAL_HOSTS, ...hosts], networks: [...PRIVATE_NETWORKS, ...own] };
}

/** @returns all names, within the constraints, by which browsers in the network can reach this computer */
export function listServerNames({ hostname, interfaces }: HostNetwork, constraints: NameConstraints): ServerNames {
  const list = createBlockList(constraints.networks);
  const addresses = Object.values(interfaces)
    .flatMap((found) => found ?? [])
    .map(({ address }) => address)
    .filter((address) => isListed(list, address));
  const isAllowed = (host: string): boolean =>
    constraints.hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
  return {
    hosts: ['localhost', ...expandHostname(hostname)].filter(isAllowed),
    addresses: [...new Set(['127.0.0.1', '::1', ...addresses])],
  };
}
