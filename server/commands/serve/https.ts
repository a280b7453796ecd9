import type { FastifyInstance } from 'fastify';
import type { AppDeps } from '#server/app.ts';
import { MINUTE_MS } from '#shared/durations.ts';
import type { ConnectionLimits } from '#server/http/listen/connection-limits.ts';
import { urlOf } from '#server/http/listen/listen.ts';
import { addSecureListener, type SecureListener } from '#server/http/listen/secure-listener.ts';
import { openAcmeFiles, openSharedAcmeFiles } from '#server/operations/acme/acme-files.ts';
import type { PublicCertificate } from '#server/operations/acme/public-certificate.ts';
import {
  openPublicCertificates,
  type AcmeStatus,
  type PublicCertificates,
} from '#server/operations/acme/public-certificates.ts';
import type { LocalAuthority } from '#server/operations/tls/certificate-source.ts';
import { describeNetwork, type Network } from '#server/operations/tls/network.ts';
import { openCertificates, watchCertificates } from '#server/operations/tls/open-certificates.ts';
import { TRUST_PATH } from '#server/operations/tls/trust-routes.ts';
import type { NamedTexts } from '#server/files/named-texts.ts';
import type { Processes } from '#server/process/processes.ts';
import type { PublicTlsSettings, Settings } from '#server/settings.ts';
import { formatErrorText, printLine } from '../terminal/command.ts';

export type Https = {
  localAuthority: LocalAuthority | null;
  /** null without `TLS_DOMAIN`. */
  publicSite: NonNullable<AppDeps['publicSite']> | null;
  network: () => Network;
  /** Called before the server listens. */
  bind: (server: FastifyInstance, limits: ConnectionLimits) => void;
  /**
   * Opens the port for https if there is a certificate, and gets one for the public names.
   * @param url of the server over http, which listens by now
   * @param processes of several, only the leader asks the directory
   * @throws ListenError when the port cannot be used
   */
  listen: (url: string, processes: Processes) => Promise<void>;
};

/** The pause after the port could not be opened for the first certificate. */
const REOPEN_AFTER_MS = MINUTE_MS;

/**
 * https of the server: by the local authority or the user's own files (R-SYS-16, R-SYS-19), and for public names by ACME
 * (R-ACME-1). Without a certificate there is no https; the first one that arrives opens the port.
 * @param shared the texts that all processes share; null: the certificate of the public names is in the data folder
 * @throws ListenError when a file cannot be used
 */
export async function openHttps(
  { host, port: httpPort, dataDir, tls, timeZone }: Settings,
  shared: NamedTexts | null,
): Promise<Https> {
  const certificates = openCertificates(tls, dataDir);
  const acme =
    tls.public &&
    openPublicCertificates(tls.public, shared ? await openSharedAcmeFiles(shared) : openAcmeFiles(dataDir));
  // Port 0 means any free port: the real numbers are known once the server listens.
  const ports = { http: httpPort, https: tls.port };
  let bound: { server: FastifyInstance; secure: SecureListener } | null = null;
  let isListening = false;
  let printedAddresses: string | null = null;

  const network = (): Network => describeNetwork({ host, port: ports.http, securePort: ports.https, certificates });

  async function open(secure: SecureListener): Promise<void> {
    ports.https = await secure.listen({ host, port: tls.port });
    isListening = true;
  }

  /** The first certificate of the public names opens the port, unless the local authority has opened it already. */
  async function showPublic(certificate: PublicCertificate): Promise<void> {
    if (!bound) return;
    const { secure, server } = bound;
    try {
      secure.replaceNamed(certificate.pair, certificate.names);
      if (!isListening) await open(secure);
      if (acme) printPublicAddresses(acme.status());
    } catch (error) {
      server.log.error({ err: error }, 'https cannot listen');
      printLine(formatErrorText(error));
      setTimeout(() => void showPublic(acme?.source.current() ?? certificate), REOPEN_AFTER_MS).unref();
    }
  }

  /** Once for each set of names: a renewal is no news. */
  function printPublicAddresses({ names, certified_names: certified }: AcmeStatus): void {
    const urls = names
      .filter((name) => certified.includes(name))
      .map((name) => new URL(`https://${name}:${ports.https}`).origin);
    const line = `Dari internet (https): ${urls.join('  ')}`;
    if (urls.length === 0 || line === printedAddresses) return;
    printedAddresses = line;
    printLine(line);
  }

  /** For names without a certificate, unless a failure says already when the directory is asked again. */
  function printRequest({
    names,
    certified_names: certified,
    issuing,
    last_error: error,
    next_attempt_at: next,
  }: AcmeStatus): void {
    const missing = names.filter((name) => !certified.includes(name)).join(', ');
    if (!tls.public || missing === '') return;
    const directory = new URL(tls.public.directory).host;
    if (issuing) printLine(`Sertifikat untuk ${missing} diminta dari ${directory}.`);
    else if (!error && next !== null) {
      printLine(`Sertifikat untuk ${missing} belum ada; diminta dari ${directory} ${formatTime(next, timeZone)}.`);
    }
  }

  function printFailure({
    names,
    valid_until: validUntil,
    last_error: error,
    next_attempt_at: next,
  }: AcmeStatus): void {
    if (!error) return;
    const end =
      validUntil === null ? 'belum didapat' : `belum diperbarui (berlaku sampai ${formatTime(validUntil, timeZone)})`;
    const again = next === null ? '' : ` Dicoba lagi ${formatTime(next, timeZone)}.`;
    printLine(`Sertifikat untuk ${names.join(', ')} ${end}: ${error.message}${again}`);
  }

  return {
    localAuthority: certificates?.authority ?? null,
    publicSite:
      tls.public && acme ? describePublicSite(tls.public, acme, () => (isListening ? ports.https : null)) : null,
    network,
    bind: (server, limits) => {
      if (!certificates && !acme) return;
      const secure = addSecureListener(server, certificates?.current() ?? null, limits);
      bound = { server, secure };
      if (acme) server.addHook('preClose', () => acme.stop());
    },
    listen: async (url, processes) => {
      ports.http = Number(new URL(url).port || 80);
      if (!bound) return;
      const { server, secure } = bound;
      const issued = acme?.source.current();
      if (issued) secure.replaceNamed(issued.pair, issued.names);
      if (certificates || issued) await open(secure);
      if (certificates) {
        watchCertificates(certificates, secure.replace, server.log);
        printSecureAddresses(urlOf('https', host, ports.https), url, network());
      }
      if (!acme) return;
      printPublicAddresses(acme.status());
      // An attempt failed before a restart: it may be hours until the next one.
      printFailure(acme.status());
      acme.source.onChange((certificate) => void showPublic(certificate));
      acme.onFailure(printFailure);
      acme.start(server.log, processes);
      // The others show what the leader gets.
      if (processes.isLeader()) printRequest(acme.status());
    },
  };
}

function printSecureAddresses(secureUrl: string, url: string, network: Network): void {
  printLine(`Aman (https) di ${secureUrl}; alamat http di bawah tetap dapat dipakai.`);
  const { secureAddresses, addresses, hasLocalAuthority } = network;
  if (secureAddresses.length > 0) printLine(`Dari komputer dan HP lain: ${secureAddresses.join('  ')}`);
  const [address = url] = addresses;
  if (hasLocalAuthority) printLine(`Agar HP dan komputer lain mempercayainya, buka ${address}${TRUST_PATH} di sana.`);
}

const formatTime = (at: string, timeZone: string): string =>
  new Intl.DateTimeFormat('id-ID', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(at));

/** @param securePort the port on which https listens; null while it does not */
export function describePublicSite(
  { domains, hsts }: PublicTlsSettings,
  { source, status, retry, challengeFor }: PublicCertificates,
  securePort: () => number | null,
): NonNullable<AppDeps['publicSite']> {
  return {
    domains,
    hsts,
    challengeFor,
    status,
    retry,
    // A name that was added later is not in the certificate yet.
    securePort: (domain) => (source.current()?.names.includes(domain) ? securePort() : null),
  };
}
