import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { familyOf, toPlainAddress } from '#server/security/ip-addresses.ts';
import type { Settings } from '#server/settings.ts';

/** Whether the `X-Forwarded-*` headers of a connection from this address count. */
export type IsTrustedProxy = (peerAddress: string | undefined) => boolean;

/**
 * Headers of a client that reached the server past the proxy must not count: it could choose its own address and would
 * never meet a limit (docs/requirements.md R-RUN-21).
 * @param trustedProxies addresses and networks beside loopback; null trusts no address
 */
export function createProxyTrust(trustedProxies: readonly string[] | null): IsTrustedProxy {
  if (trustedProxies === null) return () => false;
  const list = new BlockList();
  for (const entry of ['127.0.0.0/8', '::1', ...trustedProxies]) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (peerAddress) => {
    if (peerAddress === undefined) return false;
    const address = toPlainAddress(peerAddress);
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}

/**
 * Whether many clients share an address. That is this computer, which may have a reverse proxy, and every proxy of the settings.
 * Only limits of all clients together hold for it. Without rate limits that is every address.
 */
export function createSharedCheck({
  trustedProxies,
  rateLimits,
}: Pick<Settings, 'trustedProxies' | 'rateLimits'>): (address: string) => boolean {
  const isProxy = createProxyTrust(trustedProxies ?? []);
  return (address) => isProxy(address) || !rateLimits;
}

/** The address of the client of a request that Fastify does not see, read like its `request.ip`. */
export function clientAddress({ headers, socket }: IncomingMessage, isTrustedProxy: IsTrustedProxy): string {
  const peer = socket.remoteAddress ?? '';
  const forwarded = isTrustedProxy(peer) ? [headers['x-forwarded-for'] ?? ''].join(',').split(',').at(-1)?.trim() : '';
  return forwarded !== undefined && isIP(forwarded) !== 0 ? forwarded : peer;
}

/** Warns once when a proxy is there and its headers do not count: then all people behind it share one address. */
export function warnOfUntrustedProxy(app: FastifyInstance, isTrustedProxy: IsTrustedProxy): void {
  let isWarned = false;
  app.addHook('onRequest', async (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined) return;
    const peer = request.socket.remoteAddress;
    if (isTrustedProxy(peer)) return;
    isWarned = true;
    app.log.warn(
      { peer },
      'X-Forwarded-For is ignored, so everybody behind this peer counts as one address; if the peer is your proxy, add it to TRUST_PROXY',
    );
  });
}
