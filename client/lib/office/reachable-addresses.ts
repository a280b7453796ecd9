import type { SystemInfo } from '#shared/api/system.ts';

type Addresses = Pick<SystemInfo, 'addresses' | 'secure_addresses' | 'has_local_authority' | 'public'>;

const LOOPBACK_HOST = /^(localhost|.*\.localhost|127\.[\d.]+|\[::1\])$/;

/** Whether an address works only on the server's own computer. */
const isLoopbackOrigin = (origin: string): boolean => LOOPBACK_HOST.test(new URL(origin).hostname);

/**
 * Addresses that other devices can open, the best first: the public one works everywhere, and the origin of this page is
 * known to work.
 * It comes last when devices would first have to trust its certificate.
 * @param origin the origin of this page
 */
export function reachableAddresses(info: Addresses, origin: string): string[] {
  const everywhere = info.public?.address ?? null;
  const found = [...info.addresses, ...info.secure_addresses];
  if (everywhere !== null) return [...new Set([everywhere, ...(isLoopbackOrigin(origin) ? [] : [origin]), ...found])];
  if (isLoopbackOrigin(origin)) return [...new Set(found)];
  const needsTrustedCertificate = origin.startsWith('https:') && info.has_local_authority;
  return [...new Set(needsTrustedCertificate ? [...found, origin] : [origin, ...found])];
}
