import type { SystemInfo } from '#shared/api/system.ts';

type Addresses = Pick<SystemInfo, 'addresses' | 'secure_addresses' | 'has_local_authority'>;

const LOOPBACK_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** Whether an address leads only to the device that opens it. */
const isLoopbackOrigin = (origin: string): boolean => LOOPBACK_HOST.test(new URL(origin).hostname);

/**
 * Addresses that other devices can open, the best first: the one that this page came from is known to work, unless devices would
 * have to trust its certificate before.
 * @param origin of this page
 */
export function reachableAddresses(info: Addresses, origin: string): string[] {
  const found = [...info.addresses, ...info.secure_addresses];
  if (isLoopbackOrigin(origin)) return [...new Set(found)];
  const needsTrustedCertificate = origin.startsWith('https:') && info.has_local_authority;
  return [...new Set(needsTrustedCertificate ? [...found, origin] : [origin, ...found])];
}
