import type { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DAY_MS, MINUTE_MS } from '#shared/durations.ts';
import { findFreePort, startPebble } from '#server/testing/acme/pebble.ts';
import { sendRaw } from '#server/testing/network/raw-http.ts';
import { issueTestCertificate } from '#server/testing/network/test-certificates.ts';
import { connectSecure } from '#server/testing/network/tls-client.ts';
import { startServerProcess, tempDataDir, type ServerProcess } from '#server/testing/program/server-process.ts';

/** Starts the program as a process, with Debian's pebble as its directory. */

const NAME = 'pbb.desa.id';

/** The certificate that https shows to a client that asks for a name and trusts only `ca`. */
async function shownFor(servername: string, port: number, ca: string): Promise<X509Certificate | undefined> {
  const socket = await connectSecure(port, { ca, servername });
  const shown = socket.getPeerX509Certificate();
  socket.destroy();
  return shown;
}

const stop = async ({ child, exit }: ServerProcess, signal: NodeJS.Signals): Promise<void> => {
  child.kill(signal);
  await exit();
};

it(
  'gets its first certificate after a failure and a restart in between, shows it beside the local authority, and renews it',
  async () => {
    const dataDir = tempDataDir();
    const [httpPort, tlsPort] = [await findFreePort(), await findFreePort()];
    const pebble = await startPebble({ httpPort });
    onTestFinished(pebble.stop);
    const stateOf = (): string => readFileSync(join(dataDir, 'tls/acme/state.json'), 'utf8');
    const askFor = (path: string) => sendRaw(httpPort, `GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
    const start = async (settings: Record<string, string>): Promise<ServerProcess> => {
      const server = startServerProcess({
        DATA_DIR: dataDir,
        PORT: String(httpPort),
        TLS_PORT: String(tlsPort),
        TLS_DOMAIN: NAME,
        ACME_DIRECTORY: pebble.directory,
        ...settings,
      });
      await server.ready();
      return server;
    };

    // Without ACME_CA it does not trust the directory.
    const failing = await start({});
    await expect
      .poll(() => failing.output.stdout)
      .toContain(`Sertifikat untuk ${NAME} belum didapat: Sertifikat penerbit`);
    await expect.poll(stateOf).toContain('"last_error":{');
    await stop(failing, 'SIGKILL');
    const failed = stateOf();

    // A restart is no way around the wait.
    const waiting = await start({ ACME_CA: pebble.caFile });
    expect(stateOf()).toBe(failed);
    expect(waiting.output.stdout).not.toContain('asking for a certificate');
    expect(waiting.output.stdout).not.toContain('diminta dari');
    expect(waiting.output.stdout).toMatch(/ belum didapat: Sertifikat penerbit .* Dicoba lagi .*\.\n/);
    await expect(connectSecure(tlsPort, {})).rejects.toThrow(/ECONNREFUSED/);
    expect((await askFor('/')).status).not.toBe(308);
    await stop(waiting, 'SIGTERM');

    // Other names start anew.
    const names = `${NAME},www.${NAME}`;
    const issuing = await start({ ACME_CA: pebble.caFile, TLS_DOMAIN: names });
    const line = `Dari internet (https): https://${NAME}:${tlsPort}  https://www.${NAME}:${tlsPort}\n`;
    await expect.poll(() => issuing.output.stdout).toContain(line);
    const moved = await askFor('/login?a=b');
    expect([moved.status, moved.headers.get('location')]).toEqual([308, `https://${NAME}:${tlsPort}/login?a=b`]);
    expect((await askFor('/healthz')).status).toBe(200);
    const root = await pebble.root();
    const first = await shownFor(`www.${NAME}`, tlsPort, root);
    expect(first?.subjectAltName).toBe(`DNS:${NAME}, DNS:www.${NAME}`);
    expect((await shownFor(NAME, tlsPort, root))?.serialNumber).toBe(first?.serialNumber);
    for (const name of ['', ...readdirSync(join(dataDir, 'tls/acme'))]) {
      expect([name, statSync(join(dataDir, 'tls/acme', name)).mode & 0o077]).toEqual([name, 0]);
    }
    await stop(issuing, 'SIGTERM');
    expect(issuing.output.stdout).toContain(`Sertifikat untuk ${NAME}, www.${NAME} diminta dari `);
    expect(issuing.output.stderr).toBe('');

    const both = await start({ TLS_DOMAIN: names, TLS: 'on' });
    expect(both.output.stdout).toContain(line);
    expect((await shownFor(NAME, tlsPort, root))?.serialNumber).toBe(first?.serialNumber);
    const local = readFileSync(join(dataDir, 'tls/ca.crt'), 'utf8');
    expect((await shownFor('localhost', tlsPort, local))?.checkHost('localhost')).toBe('localhost');
    await expect(shownFor('lain.desa.id', tlsPort, root)).rejects.toThrow();
    await stop(both, 'SIGTERM');
    expect(both.output.stdout).not.toContain('asking for a certificate');

    // A certificate that is due for renewal is shown until the new one is there, which needs no restart.
    const { pair } = issueTestCertificate([NAME, `www.${NAME}`], Date.now() - 300 * DAY_MS);
    writeFileSync(join(dataDir, 'tls/acme/certificate.pem'), `${pair.key}${pair.cert}`);
    rmSync(join(dataDir, 'tls/acme/state.json'));
    const renewing = await start({ ACME_CA: pebble.caFile, TLS_DOMAIN: names });
    expect(renewing.output.stdout).toContain(line);
    await expect.poll(() => shownFor(NAME, tlsPort, root).catch(() => null)).not.toBeNull();
    expect((await shownFor(NAME, tlsPort, root))?.serialNumber).not.toBe(first?.serialNumber);
    await stop(renewing, 'SIGTERM');
    expect(renewing.output.stderr).toBe('');
  },
  2 * MINUTE_MS,
);
