import { isIPv4 } from 'node:net';

/** Host names and IP addresses in a certificate (RFC 5280). */

/** The names for which a server certificate is valid. */
export type ServerNames = { hosts: string[]; addresses: string[] };
/** The names for which an authority may issue certificates: hosts with all their subdomains, and networks. */
export type NameConstraints = { hosts: string[]; networks: Subnet[] };
export type Subnet = readonly [start: string, bits: number];

/** Top-level names that belong to local networks (RFC 6761, RFC 6762): no domain can be registered below them. */
export const LOCAL_HOSTS: readonly string[] = ['localhost', 'local'];

/**
 * Whether an authority may be limited to this host and its subdomains. A name of one label may be a top-level domain too:
 * a computer named `dev` would get an authority for all of `.dev`.
 */
export const isNarrowHost = (host: string): boolean => host.includes('.') || LOCAL_HOSTS.includes(host);

/** @returns 4 or 16 bytes in network order */
export function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [before, after] = [groups(head), groups(tail)];
  const gap = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...gap, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

/** @returns the subnet mask: as many one bits as the prefix has */
export function maskBytes(bits: number, length: number): Buffer {
  return Buffer.from(
    Array.from({ length }, (_, index) => (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))) & 0xff),
  );
}

/** The inverse of `addressBytes`. */
export function addressText(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join('.');
  return (bytes.toString('hex').match(/.{4}/g) ?? []).join(':');
}
