import { isIP, isIPv6 } from 'node:net';

const IPV4_IN_IPV6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** One network of IPv6 has 2^64 addresses, and every computer in it may use as many of them as it likes. */
const NETWORK_GROUPS = 4;

/** Without the name of the network card; an IPv4 address that reached an IPv6 listener becomes the IPv4 address that it is. */
export function toPlainAddress(address: string): string {
  const [plain = ''] = address.split('%', 1);
  return IPV4_IN_IPV6.exec(plain)?.[1] ?? plain;
}

/** The key under which an address is counted: an IPv4 address, or the /64 network of an IPv6 address. */
export function addressKey(address: string): string {
  const plain = toPlainAddress(address);
  if (!isIPv6(plain)) return plain;
  // The parser of URLs writes every address in one form only.
  const shortest = new URL(`http://[${plain}]/`).hostname.slice(1, -1);
  const [head = '', tail] = shortest.split('::');
  const headGroups = head === '' ? [] : head.split(':');
  const tailGroups = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - headGroups.length - tailGroups.length;
  const groups = [...headGroups, ...Array<string>(zeros).fill('0'), ...tailGroups];
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

export const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** @returns whether the text is an IP address, or a network such as `172.16.0.0/12` */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  if (isIP(address) === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIPv6(address) ? 128 : 32);
}
