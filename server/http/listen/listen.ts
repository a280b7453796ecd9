import type { FastifyInstance } from 'fastify';
import { errorCode } from '#server/files/atomic.ts';
import type { Settings } from '#server/settings.ts';
import { isWildcardHost } from './lan-addresses.ts';
import { adviseOnPort } from './port-advice.ts';

/** The server cannot listen. The message is the line to print. */
export class ListenError extends Error {}

type ListenAddress = Pick<Settings, 'host' | 'port'>;

type Ports = Pick<Settings, 'port' | 'tls'>;

/** Whether the server has a port for https, at once or as soon as there is a certificate. */
export const usesHttps = ({ tls }: Pick<Settings, 'tls'>): boolean =>
  tls.local || tls.files !== null || tls.public !== null;

/** The ports on which the server listens. */
export const listPorts = (settings: Ports): number[] =>
  usesHttps(settings) ? [settings.port, settings.tls.port] : [settings.port];

/**
 * Opens the port.
 * @returns an address that a browser on this computer can open
 * @throws ListenError when the port or the host cannot be used
 */
export async function listenOn(server: FastifyInstance, listenAddress: ListenAddress): Promise<string> {
  try {
    await server.listen({ ...listenAddress, listenTextResolver: (address) => `listening at ${address}` });
  } catch (error) {
    throw toListenError(error, 'PORT', listenAddress);
  }
  const address = server.server.address();
  return urlOf('http', listenAddress.host, typeof address === 'object' && address ? address.port : listenAddress.port);
}

/**
 * @param setting the name of the setting with the port
 * @returns a ListenError with the line to print, or the same error when it has another cause
 */
export function toListenError(error: unknown, setting: string, listenAddress: ListenAddress): unknown {
  const code = errorCode(error);
  const line = code === undefined ? undefined : listenErrorMessage(code, setting, listenAddress);
  if (code === undefined || line === undefined) return error;
  const advice = adviseOnPort(code, listenAddress.port);
  return new ListenError(advice === null ? line : `${line}; ${advice}`, { cause: error });
}

function listenErrorMessage(code: string, setting: string, { host, port }: ListenAddress): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `${setting}: ${port} sudah dipakai program lain; yang diterima: porta lain yang bebas, atau 0`;
    case 'EACCES':
      return `${setting}: ${port} tidak boleh dipakai pengguna ini; yang diterima: porta 1024 sampai 65535`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
    case 'EINVAL':
      return `HOST: ${JSON.stringify(host)} bukan alamat komputer ini; yang diterima: 0.0.0.0, 127.0.0.1, atau alamat LAN-nya`;
    default:
      return undefined;
  }
}

export function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  const name = isWildcardHost(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}
