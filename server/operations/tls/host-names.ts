import type { networkInterfaces } from 'node:os';
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { NameConstraints, ServerNames, Subnet } from './x509/names.ts';

/** This computer as the network knows it; tests put their own here. */
export type HostNetwork = { hostname: string; interfaces: ReturnType<typeof networkInterfaces> };

/**
 * Where a local network's addresses come from. Our authority vouches for nothing else: whoever trusts it and loses the
 * key of it to a thief has still not opened the internet to them.
 */
const PRIVATE_NETWORKS: readonly Subnet[] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
  // Without a router; and what some carriers and VPNs hand out.
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['::1', 128],
  ['fc00::', 7],
];
/** Of a network wider than this that is not private, only the computer's own address counts. */
const OWN_PREFIX_MIN_BITS = 16;

const createBlockList = (networks: readonly Subnet[]): BlockList => {
  const list = new BlockList();
  for (const [start, bits] of networks) list.addSubnet(start, bits, isIPv4(start) ? 'ipv4' : 'ipv6');
  return list;
};
const isListed = (list: BlockList, address: string): boolean =>
  isIPv4(address) ? list.check(address, 'ipv4') : isIPv6(address) && list.check(address, 'ipv6');

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** The names by which a computer of this host name answers: in full, its first part alone, and with `.local`. */
export function expandHostname(hostname: string): string[] {
  const full = hostname.toLowerCase();
  const labels = full.split('.');
  const [first = ''] = labels;
  if (full.length > 253 || !labels.every((label) => LABEL.test(label))) return [];
  return [...new Set([full, first, `${first}.local`])].filter((name) => name !== 'localhost');
}

/** What a new authority of this computer may vouch for, now and after it has moved to another private network. */
export function chooseNameConstraints({ hostname, interfaces }: HostNetwork): NameConstraints {
  const isPrivate = createBlockList(PRIVATE_NETWORKS);
  // Some offices number their desks with addresses that belong to somebody else.
  const own = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ address, family, internal }) => family === 'IPv4' && !internal && !isListed(isPrivate, address))
    .map(({ address, cidr }): Subnet => {
      const bits = Number(cidr?.split('/')[1] ?? 32);
      return [address, bits < OWN_PREFIX_MIN_BITS ? 32 : bits];
    });
  const hosts = expandHostname(hostname).filter((host) => !host.endsWith('.local'));
  return { hosts: ['localhost', 'local', ...hosts], networks: [...PRIVATE_NETWORKS, ...own] };
}

/** Everything in a scope that a browser may have in its address bar to reach this computer from its own network. */
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
