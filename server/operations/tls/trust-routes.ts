import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import { sendStaticFile, type StaticFile, textFile } from '#server/http/static-files.ts';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { APP_NAME } from '#shared/labels.ts';
import type { LocalAuthority } from './certificate-source.ts';
import { renderTrustPage, type Device } from './trust-page.ts';

export const TRUST_PATH = '/percaya';

/** A page takes a few milliseconds, and a stranger chooses the host in its URL: beyond these it shows the server's own address. */
const HOST_PAGES_MAX = 20;
const PAGES_KEPT_MS = 15_000;
/** `http://`, the longest name of a host, and a port. A longer URL takes far longer to draw as a QR code. */
const ORIGIN_MAX = 7 + 253 + 6;

export type TrustDeps = {
  authority: LocalAuthority;
  /** The addresses of this server, for http and https. */
  network: () => { addresses: string[]; secureAddresses: string[] };
  monotonicNow: () => number;
  officeName: () => Promise<string>;
};

/** The page on which a device learns to trust this server, and the authority in the formats of the devices (R-SYS-17). */
export function trustRoutes(app: FastifyInstance, deps: TrustDeps): void {
  const { authority } = deps;
  const describe = (summary: string, type: string) => ({
    schema: { tags: ['Kepercayaan perangkat'], summary, security: [], response: { 200: contentAnswer(type) } },
  });
  const profile = renderAppleProfile(authority);
  const findPage = createTrustPages(deps);
  const page = describe('Petunjuk agar perangkat mempercayai server ini', 'text/html');
  const response = { ...page.schema.response, 304: z.null() };

  app.get(TRUST_PATH, { schema: { ...page.schema, response } }, async (request, reply) => {
    const device = detectDevice(request.headers['user-agent'] ?? '');
    return sendStaticFile(request, reply, await findPage(device, usedOrigin(request)), TRUST_PATH);
  });
  app.get(
    '/ca.crt',
    describe('Sertifikat otoritas server ini', 'application/x-x509-ca-cert'),
    async (_request, reply) =>
      reply
        .type('application/x-x509-ca-cert')
        .header('content-disposition', 'attachment; filename="pbb-kita-ca.crt"')
        .header('cache-control', 'no-cache')
        .send(authority.certificate),
  );
  app.get(
    '/ca.mobileconfig',
    describe('Profil untuk iPhone dan iPad', 'application/x-apple-aspen-config'),
    async (_request, reply) =>
      reply
        .type('application/x-apple-aspen-config')
        .header('content-disposition', 'attachment; filename="pbb-kita.mobileconfig"')
        .header('cache-control', 'no-cache')
        .send(profile),
  );
}

/** Renders and compresses each page once in a while, however many ask for it. */
function createTrustPages({ authority, network, monotonicNow, officeName }: TrustDeps) {
  const pages = new Map<string, StaticFile>();
  let addresses: string[] = [];
  let secureAddresses: string[] = [];
  let since = -Infinity;

  /** @param used the address that this device used */
  return async (device: Device | null, used?: string): Promise<StaticFile> => {
    if (monotonicNow() - since >= PAGES_KEPT_MS) {
      pages.clear();
      ({ addresses, secureAddresses } = network());
      since = monotonicNow();
    }
    const keyOf = (origin?: string): string => `${device} ${origin}`;
    const hasPlace = pages.size < HOST_PAGES_MAX || pages.has(keyOf(used));
    const origin = (hasPlace ? used : undefined) ?? addresses[0];
    const known = pages.get(keyOf(origin));
    if (known) return known;
    const pageUrl = origin === undefined ? null : `${origin}${TRUST_PATH}`;
    const html = renderTrustPage({ officeName: await officeName(), authority, secureAddresses, pageUrl, device });
    const page = textFile('text/html; charset=utf-8', html);
    pages.set(keyOf(origin), page);
    return page;
  };
}

/**
 * The address that this device used, for other devices, unless it is a loopback address. It is http, because another
 * device does not trust the server yet.
 */
function usedOrigin({ hostname, protocol, host }: FastifyRequest): string | undefined {
  const isLoopbackHost = /^(localhost|127\.|\[?::1)/.test(hostname);
  if (protocol !== 'http' || isLoopbackHost || !URL.canParse(`http://${host}`)) return undefined;
  const { origin } = new URL(`http://${host}`);
  return origin.length <= ORIGIN_MAX ? origin : undefined;
}

/** The device whose steps are opened first. A wrong guess costs the user one tap. */
function detectDevice(userAgent: string): Device | null {
  if (/Android/.test(userAgent)) return 'android';
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'iphone';
  if (/Windows/.test(userAgent)) return 'windows';
  return /Macintosh/.test(userAgent) ? 'mac' : null;
}

/** A configuration profile. Its ids depend on the authority only, so that installing it again replaces the first one. */
function renderAppleProfile({ name, certificate }: LocalAuthority): string {
  const label = escapeMarkup(name);
  const identifier = `local.pbb-kita.${deriveUuid(certificate, 'identifier')}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadCertificateFileName</key><string>pbb-kita-ca.crt</string>
      <key>PayloadContent</key>
      <data>${certificate.toString('base64')}</data>
      <key>PayloadDisplayName</key><string>${label}</string>
      <key>PayloadIdentifier</key><string>${identifier}.ca</string>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadUUID</key><string>${deriveUuid(certificate, 'root')}</string>
      <key>PayloadVersion</key><integer>1</integer>
    </dict>
  </array>
  <key>PayloadDescription</key><string>Agar perangkat ini mempercayai server ${APP_NAME} di jaringan kantor.</string>
  <key>PayloadDisplayName</key><string>${label}</string>
  <key>PayloadIdentifier</key><string>${identifier}</string>
  <key>PayloadOrganization</key><string>${APP_NAME}</string>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>${deriveUuid(certificate, 'profile')}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
}

function deriveUuid(certificate: Buffer, use: string): string {
  const digits = createHash('sha256').update(use).update(certificate).digest('hex').slice(0, 32).toUpperCase();
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
