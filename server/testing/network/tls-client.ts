import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { withTimeout } from '../with-timeout.ts';
import { openLocalAuthority } from '#server/operations/tls/local-authority.ts';
import type { HostNetwork } from '#server/operations/tls/host-names.ts';
import type { CertificateSource } from '#server/operations/tls/certificate-source.ts';
import { buildHostNetwork } from './host-network.ts';

/** Creates a local authority in its own folder. */
export function createTestAuthority(
  readHost: () => HostNetwork = () => buildHostNetwork('kantor', '192.168.1.10/24'),
): {
  source: CertificateSource;
  /** PEM of the authority, for clients that trust it. */
  ca: string;
} {
  const root = mkdtempSync(join(tmpdir(), 'pbb-tls-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, 'tls');
  const source = openLocalAuthority({ folder, readHost, now: Date.now });
  return { source, ca: readFileSync(join(folder, 'ca.crt'), 'utf8') };
}

/** Opens a TLS connection, waits for the handshake and collects what it receives. */
export async function connectSecure(
  port: number,
  options: ConnectionOptions,
): Promise<TLSSocket & { received: () => string }> {
  const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', ...options });
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => (received += text));
  await withTimeout(
    'a TLS handshake',
    new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    }),
  );
  // Later errors show as the end of the connection.
  socket.on('error', () => undefined);
  return Object.assign(socket, { received: () => received });
}

type SecureResponse = { status: number; text: string; protocol: string | null; serial: string };

/** Sends one https request to this computer, as a client that trusts only `ca`. */
export async function fetchSecure(
  url: string,
  ca: string,
  headers: Record<string, string> = {},
): Promise<SecureResponse> {
  return withTimeout(
    `an answer from ${url}`,
    new Promise<SecureResponse>((resolve, reject) => {
      const outgoing = request(url, { ca, headers, agent: false }, (response) => {
        let text = '';
        const socket = response.socket as TLSSocket;
        const { serialNumber: serial } = socket.getPeerCertificate();
        const protocol = socket.getProtocol();
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text, protocol, serial }));
      });
      outgoing.once('error', reject);
      outgoing.end();
    }),
  );
}
