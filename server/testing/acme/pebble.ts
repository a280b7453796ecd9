import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { findPortError } from '#server/http/listen/free-port.ts';
import { withTimeout } from '../with-timeout.ts';
import { issueTestCertificate } from '../network/test-certificates.ts';
import { fetchSecure } from '../network/tls-client.ts';

/** Debian's ACME directory for tests, with a DNS server that answers every name with this computer. */
export type Pebble = {
  directory: string;
  /** A PEM file with the authority of its https. */
  caFile: string;
  /** PEM of the authority that issues its certificates, a new one at each start. */
  root: () => Promise<string>;
  /** For the end of the test; may be called twice. */
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

/** Below the range from which the operating system gives free ports to everybody who asks for one. */
const PORT_MIN = 20_000;
const PORT_MAX = 32_000;

/** A port for a program that cannot take a free one by itself. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX);
    if ((await findPortError({ host: '127.0.0.1', port })) === null) return port;
  }
}

export async function startPebble({ httpPort, environment = {}, config = {} }: PebbleOptions): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'pbb-pebble-'));
  const { pair, ca } = issueTestCertificate(['localhost']);
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
        certificate: file('cert.pem', pair.cert),
        privateKey: file('key.pem', pair.key),
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
  const stop = async (): Promise<void> => {
    for (const child of children) {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all([port, managementPort, dnsManagementPort].map((number) => untilOpen(number)));
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    directory: `https://127.0.0.1:${port}/dir`,
    caFile,
    root: async () => (await fetchSecure(`https://127.0.0.1:${managementPort}/roots/0`, ca)).text,
    stop,
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
