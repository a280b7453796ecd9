import type { FastifyInstance } from 'fastify';
import type { Settings } from '#server/settings.ts';

/** Why the server cannot listen; the message is the line to show. */
export class ListenError extends Error {}

type Where = Pick<Settings, 'host' | 'port'>;

/**
 * Opens the port.
 * @returns an address that a browser on this machine can open
 * @throws ListenError when the port or the host cannot be had
 */
export async function listenOn(server: FastifyInstance, where: Where): Promise<string> {
  try {
    await server.listen({ ...where, listenTextResolver: (address) => `listening at ${address}` });
  } catch (error) {
    throw listenFault(error, 'PORT', where);
  }
  const address = server.server.address();
  return urlOf('http', where.host, typeof address === 'object' && address ? address.port : where.port);
}

/**
 * @param setting the one that names the port
 * @returns a ListenError with the line to show; other errors as they came
 */
export function listenFault(error: unknown, setting: string, where: Where): unknown {
  const line = error instanceof Error && 'code' in error ? lineFor(String(error.code), setting, where) : undefined;
  return line === undefined ? error : new ListenError(line, { cause: error });
}

function lineFor(code: string, setting: string, { host, port }: Where): string | undefined {
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
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const name = isEverywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}:${port}`;
}
