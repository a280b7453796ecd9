import { isIP } from 'node:net';
import { PUSH_ENDPOINT_MAX } from '#shared/limits.ts';
import { isPublicAddress } from './public-addresses.ts';
import type { ResolveName } from './resolve-name.ts';

/** Names that never leave a computer or a local network. */
const LOCAL_SUFFIXES = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home.arpa'];

function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`));
}

/** The host of a URL: an address without the brackets of IPv6. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * The endpoint of a subscription in the one form in which it is stored and compared, or null when nothing may be sent there
 * (R-PUSH-5). The parser of URLs has turned every other notation of an address (`0x7f.1`, `2130706433`) into the usual one.
 * A name may still lead anywhere: see `isEndpointPublic`, and the check of the address at each connection.
 * @param allowedOrigins of `PUSH_ALLOW`
 */
export function parseEndpoint(endpoint: string, allowedOrigins: readonly string[]): URL | null {
  if (!URL.canParse(endpoint)) return null;
  const url = new URL(endpoint);
  if (url.href.length > PUSH_ENDPOINT_MAX || url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (isAllowedOrigin(url, allowedOrigins)) return url;
  // Push services use no port of their own; one would let a subscription knock at any service of a public computer.
  if (url.protocol !== 'https:' || url.port !== '') return null;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? url : null;
  return host.endsWith('.') || isLocalName(host) ? null : url;
}

/** Whether `PUSH_ALLOW` names its origin: then it may be http, and neither address nor certificate is checked. */
export const isAllowedOrigin = (url: URL, allowedOrigins: readonly string[]): boolean =>
  allowedOrigins.some((origin) => new URL(origin).origin === url.origin);

/**
 * Whether the name leads to public addresses only. A name that cannot be resolved now is not refused: without internet a
 * subscription waits, and the address is checked at each connection.
 */
export async function isEndpointPublic(
  url: URL,
  allowedOrigins: readonly string[],
  resolveName: ResolveName,
): Promise<boolean> {
  const host = hostOf(url);
  if (isIP(host) !== 0 || isAllowedOrigin(url, allowedOrigins)) return true;
  const addresses = await resolveName(host);
  return addresses.every(isPublicAddress);
}
