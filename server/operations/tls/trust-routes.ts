import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contentAnswer } from '#server/http/api-docs/openapi.ts';
import { APP_NAME } from '#shared/labels.ts';
import type { LocalAuthority } from './certificate-source.ts';
import { renderTrustPage, type Device } from './trust-page.ts';

export const TRUST_PATH = '/percaya';

export type TrustDeps = {
  authority: LocalAuthority;
  /** The addresses of this server, for http and https. */
  network: () => { addresses: string[]; secureAddresses: string[] };
};

/** The page on which a device learns to trust this server, and the authority in the formats of the devices (R-SYS-17). */
export function trustRoutes(app: FastifyInstance, { authority, network }: TrustDeps): void {
  const describe = (summary: string, type: string) => ({
    schema: { tags: ['Kepercayaan perangkat'], summary, security: [], response: { 200: contentAnswer(type) } },
  });
  const profile = renderAppleProfile(authority);

  app.get(
    TRUST_PATH,
    describe('Petunjuk agar perangkat mempercayai server ini', 'text/html'),
    async (request, reply) => {
      const { addresses, secureAddresses } = network();
      const page = renderTrustPage({
        authority,
        secureAddresses,
        pageUrl: pageUrlFor(request, addresses),
        device: detectDevice(request.headers['user-agent'] ?? ''),
      });
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(page);
    },
  );
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

/**
 * The URL of the page for another device: the address that this device used, unless it is a loopback address. It is http,
 * because the other device does not trust the server yet.
 */
function pageUrlFor(request: FastifyRequest, addresses: string[]): string | null {
  const isLoopbackHost = /^(localhost|127\.|\[?::1)/.test(request.hostname);
  const isReachableOrigin = request.protocol === 'http' && !isLoopbackHost && URL.canParse(`http://${request.host}`);
  const origin = isReachableOrigin ? new URL(`http://${request.host}`).origin : addresses[0];
  return origin === undefined ? null : `${origin}${TRUST_PATH}`;
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
  const label = escapeXml(name);
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

const escapeXml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
