import { networkInterfaces } from 'node:os';

type NetworkInterfaces = ReturnType<typeof networkInterfaces>;

/** Bridges and tunnels of this machine's own: their addresses lead nowhere on the office's network. */
const VIRTUAL_INTERFACES =
  /docker|^br-|^veth|^virbr|^vmnet|vmware|virtualbox|vbox|^tun|^tap|^wg|^zt|tailscale|vethernet|wsl|^lxc|^cni|^podman/i;

const isWildcardHost = (host: string): boolean => host === '0.0.0.0' || host === '::';
/** Whether a server that listens there can be reached from this machine only. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** Of this link only: a browser would need the interface's name with it. */
const isLinkLocal = (address: string): boolean => /^(169\.254\.|fe[89ab])/i.test(address);

/** Lower is more likely what the office's other machines can reach. */
function unlikeliness(name: string, { address, family }: { address: string; family: string }): number {
  const isPrivate = /^(192\.168\.|10\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address);
  return (
    (VIRTUAL_INTERFACES.test(name) ? 4 : 0) + (family === 'IPv4' ? 0 : 2) + (isPrivate || family !== 'IPv4' ? 0 : 1)
  );
}

/**
 * Where other machines of the office can reach a server.
 * @param host what it listens on: one address of its own means that one only, a loopback address nowhere
 * @returns the most likely first, as in `http://192.168.1.10:3000`; empty when only this machine can reach it
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
      // Listening on 0.0.0.0 is IPv4 only.
      .filter(({ family }) => host === '::' || family === 'IPv4')
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ address }) => urlOf(address))
  );
}
