import { createServer } from 'node:net';
import type { Settings } from '#server/settings.ts';
import { toListenError, usesHttps } from './listen.ts';

type ListenAddress = Pick<Settings, 'host' | 'port'>;

/** Opens the port and closes it again. @returns the error; null when the port is free */
export function findPortError({ host, port }: ListenAddress): Promise<Error | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', resolve);
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

/**
 * Called before anything is created: a start that cannot listen must not found an installation.
 * @throws ListenError with the line to print
 */
export async function requireFreePorts({ host, port, tls }: Pick<Settings, 'host' | 'port' | 'tls'>): Promise<void> {
  const ports = [{ setting: 'PORT', port }, ...(usesHttps({ tls }) ? [{ setting: 'TLS_PORT', port: tls.port }] : [])];
  for (const { setting, port: number } of ports) {
    const error = await findPortError({ host, port: number });
    if (error) throw toListenError(error, setting, { host, port: number });
  }
}
