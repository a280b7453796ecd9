import { networkInterfaces } from 'node:os';

type NetworkInterfaces = ReturnType<typeof networkInterfaces>;

/** Bridges and tunnels of this computer: other computers in the local network cannot reach their addresses. */
const VIRTUAL_INTERFACES =
  /docker|^br-|^veth|^virbr|^vmnet|vmware|virtualbox|vbox|^tun|^tap|^wg|^zt|tailscale|vethernet|wsl|^lxc|^cni|^podman/i;

/** Whether the server listens on all addresses of this computer. */
export const isWildcardHost = (host: string): boolean => host === '0.0.0.0' || host === '::';
/** Whether only this computer can reach a server that listens on this host. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Link-local addresses: a browser cannot open them without the name of the interface. */
const isLinkLocal = (address: string): boolean => /^(169\.254\.|fe[89ab])/i.test(address);

/** Ranks an address: a lower number is more likely reachable in the local network. */
function unlikeliness(name: string, { address, family }: { address: string; family: string }): number {
  const isPrivate = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
  return (
    (VIRTUAL_INTERFACES.test(name) ? 4 : 0) + (family === 'IPv4' ? 0 : 2) + (isPrivate || family !== 'IPv4' ? 0 : 1)
  );
}

/**
 * The addresses at which other computers in the local network can reach the server.
 * @param host the host it listens on: a single address is returned alone, a loopback address not at all
 * @returns the most likely first, as in `http://192.168.1.10:3000`; empty when only this computer can reach it
 */
export function lanAddresses(
  host: string,
  port: number,
  scheme: 'http' | 'https' = 'http',
  interfaces: NetworkInterfaces = networkInterfaces(),
): string[] {
  if (isLoopback(host)) return [];
  const urlOf = (address: string): string =>
    new URL(`${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`).origin;
  if (!isWildcardHost(host)) return [urlOf(host)];
  return (
    Object.entries(interfaces)
      .flatMap(([name, found = []]) => found.map((address) => ({ ...address, rank: unlikeliness(name, address) })))
      .filter(({ internal, address }) => !internal && !isLinkLocal(address))
      // 0.0.0.0 listens on IPv4 only.
      .filter(({ family }) => host === '::' || family === 'IPv4')
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ address }) => urlOf(address))
  );
}
