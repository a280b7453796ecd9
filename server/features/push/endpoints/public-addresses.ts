import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * Networks that are not part of the public internet (the special-purpose registries of IANA): a push must never reach a
 * computer of the office, this computer, or a service that a provider offers to its machines only.
 */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  // Services of Azure for its machines, at a number that is otherwise public.
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast, reserved, broadcast.
  '224.0.0.0/3',
];
/** Of 2000::/3, which is all that is public; some of them carry an IPv4 address inside. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

function blockListOf(family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

const notPublicIpv4 = blockListOf('ipv4', NOT_PUBLIC_IPV4);
const notPublicIpv6 = blockListOf('ipv6', NOT_PUBLIC_IPV6);
const unicast = blockListOf('ipv6', ['2000::/3']);
/** An IPv4 address as a network without IPv4 reaches it (NAT64): as public as that address. */
const translated = blockListOf('ipv6', ['64:ff9b::/96']);

/** The last 32 bits as an IPv4 address. */
function embeddedIpv4(address: string): string {
  // The parser of URLs writes every address in one form only, without dots.
  const groups = new URL(`https://[${address}]/`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** @param address as a resolver or a socket gives it, or the host of a parsed URL without its brackets */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicIpv4.check(address, 'ipv4');
  // A zone names a network card.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (translated.check(address, 'ipv6')) return isPublicAddress(embeddedIpv4(address));
  return unicast.check(address, 'ipv6') && !notPublicIpv6.check(address, 'ipv6');
}
