import type { networkInterfaces } from 'node:os';
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** The names for which a server certificate is valid. */
export type ServerNames = { hosts: string[]; addresses: string[] };
/** The names for which an authority may issue certificates: hosts with all their subdomains, and networks. */
export type NameConstraints = { hosts: string[]; networks: Subnet[] };
export type Subnet = readonly [start: string, bits: number];

/** Host name and network interfaces of this computer. Tests give other values. */
export type HostNetwork = { hostname: string; interfaces: ReturnType<typeof networkInterfaces> };

/** Top-level names that belong to local networks (RFC 6761, RFC 6762): no domain can be registered below them. */
const LOCAL_HOSTS: readonly string[] = ['localhost', 'local'];

/**
 * Whether an authority may be limited to this host and its subdomains. A name of one label may be a top-level domain too:
 * a computer named `dev` would get an authority for all of `.dev`.
 */
export const isNarrowHost = (host: string): boolean => host.includes('.') || LOCAL_HOSTS.includes(host);

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

/** The first address of an IPv4 network: without the bits of a computer. */
const networkAddress = (address: string, bits: number): string =>
  address
    .split('.')
    .map((part, index) => Number(part) & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))))
    .join('.');

/** The constraints of a new authority. They still fit after a move to another private network. */
export function chooseNameConstraints({ hostname, interfaces }: HostNetwork): NameConstraints {
  const isPrivate = createBlockList(PRIVATE_NETWORKS);
  // Some local networks use public addresses that belong to others.
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ address, family, internal }) => family === 'IPv4' && !internal && !isListed(isPrivate, address))
    .map(({ address, cidr }): Subnet => {
      const bits = Number(cidr?.split('/')[1] ?? 32);
      return bits < OWN_PREFIX_MIN_BITS ? [address, 32] : [networkAddress(address, bits), bits];
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
