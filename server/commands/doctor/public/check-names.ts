import { isIPv6 } from 'node:net';
import { isPublicAddress } from '#server/features/push/endpoints/public-addresses.ts';
import type { Settings } from '#server/settings.ts';
import type { Finding } from '../finding.ts';
import { publicAddressesOf, type PublicHost } from './public-host.ts';

/** The port at which an ACME directory asks, whatever `PORT` says. */
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Where the public names lead, and whether the way to this computer is open as far as it can be seen from here. */
export async function* checkNames(
  settings: Settings,
  host: PublicHost,
  isRunning: boolean,
  hasCertificate: boolean,
): AsyncGenerator<Finding> {
  const domains = settings.tls.public?.domains ?? [];
  let isResolved = domains.length > 0;
  for (const domain of domains) {
    const finding = checkAddresses(domain, await host.resolve(domain), settings.host, host);
    if (finding.todo !== undefined) isResolved = false;
    yield finding;
  }
  if (settings.port !== HTTP_PORT && settings.port !== 0) {
    yield {
      what: `PORT=${settings.port}: router harus meneruskan porta 80 dari internet ke porta ${settings.port} komputer ini`,
    };
  }
  const [first] = domains;
  const { port: securePort } = settings.tls;
  if (first !== undefined && securePort !== HTTPS_PORT && securePort !== 0) {
    yield {
      what: `TLS_PORT=${securePort}: alamat dari internet https://${first}:${securePort}, dan router harus meneruskan porta ${securePort} ke porta ${securePort} komputer ini`,
    };
  }
  // A certificate shows that the directory has reached this computer.
  if (first === undefined || hasCertificate || !isRunning || !isResolved) return;
  yield (await host.fetchStatus(`http://${first}/healthz`)) === 200
    ? { what: `http://${first} terbuka dari komputer ini` }
    : {
        what: `http://${first} tidak terbuka dari komputer ini`,
        todo:
          `Buka http://${first} dari HP dengan data seluler. Bila di sana pun tidak terbuka, periksa penerusan porta 80 di ` +
          'router, firewall, dan CGNAT (help panduan, bagian "Dari nama domain sampai HP di rumah").',
      };
}

/** @param addresses null: no name server answered */
function checkAddresses(domain: string, addresses: string[] | null, listenHost: string, host: PublicHost): Finding {
  if (addresses === null) {
    return {
      what: `alamat ${domain} tidak dapat ditanyakan: tidak ada jawaban DNS`,
      todo: 'Periksa sambungan internet komputer ini.',
    };
  }
  if (addresses.length === 0) {
    return {
      what: `${domain} belum menunjuk ke alamat mana pun`,
      todo: 'Buat catatan A di tempat domain itu dibeli, berisi alamat publik kantor; perubahan perlu beberapa menit sampai sehari.',
    };
  }
  const shown = `${domain} menunjuk ke ${addresses.join(', ')}`;
  const inside = addresses.filter((address) => !isPublicAddress(address));
  if (inside.length > 0) {
    return {
      what: `${shown}; ${inside.join(', ')} tidak dapat dicapai dari internet`,
      todo: 'Ganti catatan A dengan alamat publik kantor. Bila router hanya mendapat alamat seperti itu: CGNAT, lihat panduan (help panduan).',
    };
  }
  return checkOwn(shown, addresses, listenHost, host);
}

/** Compares with this computer's own addresses. Behind a router only those of IPv6 can be compared. */
function checkOwn(shown: string, addresses: string[], listenHost: string, host: PublicHost): Finding {
  const own = publicAddressesOf(host);
  const ipv6 = addresses.filter((address) => isIPv6(address));
  if (ipv6.length > 0 && listenHost === '0.0.0.0') {
    return {
      what: `${shown}, tetapi server tidak mendengarkan IPv6 (HOST=0.0.0.0)`,
      todo: 'Tulis HOST=:: di setelan.env, atau hapus catatan AAAA.',
    };
  }
  const strange = ipv6.filter((address) => !own.some((known) => isSameAddress(known, address)));
  if (strange.length > 0) {
    return {
      what: `${shown}; ${strange.join(', ')} bukan alamat komputer ini`,
      todo: 'Hapus catatan AAAA itu, atau isi dengan alamat IPv6 komputer ini: penerbit sertifikat memakainya lebih dulu.',
    };
  }
  const ipv4 = addresses.filter((address) => !isIPv6(address));
  const ownIpv4 = own.filter((address) => !isIPv6(address));
  if (ownIpv4.length > 0 && ipv4.length > 0 && !ipv4.some((address) => ownIpv4.includes(address))) {
    return {
      what: `${shown}, bukan ke komputer ini (${ownIpv4.join(', ')})`,
      todo: 'Betulkan catatan A, kecuali bila alamat itu memang meneruskan ke komputer ini.',
    };
  }
  return { what: shown };
}

/** The same IPv6 address may be written in several ways. */
const isSameAddress = (one: string, other: string): boolean =>
  isIPv6(one) && isIPv6(other) && new URL(`http://[${one}]`).host === new URL(`http://[${other}]`).host;
