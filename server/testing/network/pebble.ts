import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { withTimeout } from '../with-timeout.ts';
import { createTestAuthority, fetchSecure } from './tls-client.ts';

/** Debian's ACME directory for tests, with a DNS server that answers every name with this computer. */
export type Pebble = {
  directory: string;
  /** A PEM file with the authority of its https. */
  caFile: string;
  /** PEM of the authority that issues its certificates, a new one at each start. */
  root: () => Promise<string>;
  stop: () => Promise<void>;
};

type PebbleOptions = {
  /** The port at which it asks for the answers to its challenges. */
  httpPort: number;
  /** Settings of `pebble`, as `PEBBLE_WFE_NONCEREJECT`. */
  environment?: Record<string, string>;
  /** Further lines of its configuration. */
  config?: Record<string, unknown>;
};

const START_TIMEOUT_MS = 20_000;

/** Opens a port and closes it again. Nothing else takes it before the test does, as far as one can know. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

export async function startPebble({ httpPort, environment = {}, config = {} }: PebbleOptions): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-pebble-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { source, ca } = createTestAuthority();
  const [port, managementPort, dnsPort, dnsManagementPort] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const caFile = file('ca.pem', ca);
  const configFile = file(
    'config.json',
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: file('cert.pem', source.current().cert),
        privateKey: file('key.pem', source.current().key),
        httpPort,
        tlsPort: 1,
        ...config,
      },
    }),
  );
  const dns = `127.0.0.1:${dnsPort}`;
  const children = [
    startChild('pebble-challtestsrv', [
      ['-dns01', dns],
      ['-management', `127.0.0.1:${dnsManagementPort}`],
      ['-http01', ''],
      ['-https01', ''],
      ['-tlsalpn01', ''],
      ['-defaultIPv6', ''],
    ]),
    startChild(
      'pebble',
      [
        ['-config', configFile],
        ['-dnsserver', dns],
      ],
      { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', PEBBLE_WFE_NONCEREJECT: '0', ...environment },
    ),
  ];
  await Promise.all([port, managementPort, dnsManagementPort].map((number) => untilOpen(number)));
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    caFile,
    root: async () => (await fetchSecure(`https://127.0.0.1:${managementPort}/roots/0`, ca)).text,
    stop: async () => {
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    },
  };
}

function startChild(
  program: string,
  options: [string, string][],
  environment: Record<string, string> = {},
): ChildProcess {
  const child = spawn(program, options.flat(), { env: environment, stdio: 'ignore' });
  // Reported by what waits for its port.
  child.once('error', () => undefined);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Resolves when something listens on the port. */
async function untilOpen(port: number): Promise<void> {
  const opened = async (): Promise<void> => {
    for (;;) {
      const socket = connect(port, '127.0.0.1');
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('error', () => resolve(false));
      });
      socket.destroy();
      if (isOpen) return;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await withTimeout(`port ${port} to open`, opened(), START_TIMEOUT_MS);
}
