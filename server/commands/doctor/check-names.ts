import { isIPv6 } from 'node:net';
import { isPublicAddress } from '#server/features/push/endpoints/public-addresses.ts';
import type { Settings } from '#server/settings.ts';
import { readAcmeStatus } from './check-certificates.ts';
import type { Finding, Installation } from './check.ts';
import { publicAddressesOf, type ServerComputer } from './server-computer.ts';

/** The port at which an ACME directory asks, whatever `PORT` says. */
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Checks that the public names lead here, and that the way is open as far as this computer can see. */
export async function* checkNames({ settings, isRunning, computer }: Installation): AsyncGenerator<Finding> {
  const domains = settings.tls.public?.domains ?? [];
  let isResolved = true;
  for (const domain of domains) {
    const finding = checkAddresses(domain, await computer.resolve(domain), settings.host, computer);
    if (finding.advice !== undefined) isResolved = false;
    yield finding;
  }
  const [first] = domains;
  yield* describeForwarding(settings, first);
  // A certificate shows that the directory has reached this computer.
  if (first === undefined || !isRunning || !isResolved || (await hasCertificate(settings, computer.now()))) return;
  yield (await computer.fetchStatus(`http://${first}/healthz`)) === 200
    ? { what: `http://${first} terbuka dari komputer ini` }
    : {
        what: `http://${first} tidak terbuka dari komputer ini`,
        advice:
          `Buka http://${first} dari HP dengan data seluler. Bila di sana pun tidak terbuka, periksa penerusan porta 80 di ` +
          'router, firewall, dan CGNAT (help panduan, bagian "Dari nama domain sampai HP di rumah").',
      };
}

/** Ports of the router that lead to others of this computer. */
function* describeForwarding({ port, tls }: Settings, domain: string | undefined): Generator<Finding> {
  if (port !== HTTP_PORT && port !== 0) {
    yield { what: `PORT=${port}: router harus meneruskan porta 80 dari internet ke porta ${port} komputer ini` };
  }
  if (domain !== undefined && tls.port !== HTTPS_PORT && tls.port !== 0) {
    yield {
      what: `TLS_PORT=${tls.port}: alamat dari internet https://${domain}:${tls.port}, dan router harus meneruskan porta ${tls.port} ke porta ${tls.port} komputer ini`,
    };
  }
}

/** A certificate that cannot be read counts as none; its own check reports it. */
async function hasCertificate(settings: Settings, nowMs: number): Promise<boolean> {
  try {
    const status = await readAcmeStatus(settings, nowMs);
    return status !== null && status.valid_until !== null;
  } catch {
    return false;
  }
}

/** @param addresses null: no name server answered */
function checkAddresses(
  domain: string,
  addresses: string[] | null,
  listenHost: string,
  computer: ServerComputer,
): Finding {
  if (addresses === null) {
    return {
      what: `alamat ${domain} tidak dapat ditanyakan: tidak ada jawaban DNS`,
      advice: 'Periksa sambungan internet komputer ini.',
    };
  }
  if (addresses.length === 0) {
    return {
      what: `${domain} belum menunjuk ke alamat mana pun`,
      advice:
        'Buat catatan A di tempat domain itu dibeli, berisi alamat publik kantor; perubahan perlu beberapa menit sampai sehari.',
    };
  }
  const shown = `${domain} menunjuk ke ${addresses.join(', ')}`;
  const inside = addresses.filter((address) => !isPublicAddress(address));
  if (inside.length > 0) {
    return {
      what: `${shown}; ${inside.join(', ')} tidak dapat dicapai dari internet`,
      advice:
        'Ganti catatan A dengan alamat publik kantor. Bila router hanya mendapat alamat seperti itu: CGNAT, lihat panduan (help panduan).',
    };
  }
  return checkOwn(shown, addresses, listenHost, computer);
}

/** Compares with this computer's own addresses. Behind a router only those of IPv6 can be compared. */
function checkOwn(shown: string, addresses: string[], listenHost: string, computer: ServerComputer): Finding {
  const own = publicAddressesOf(computer);
  const ipv6 = addresses.filter((address) => isIPv6(address));
  if (ipv6.length > 0 && listenHost === '0.0.0.0') {
    return {
      what: `${shown}, tetapi server tidak mendengarkan IPv6 (HOST=0.0.0.0)`,
      advice: 'Tulis HOST=:: di setelan.env, atau hapus catatan AAAA.',
    };
  }
  const strange = ipv6.filter((address) => !own.some((known) => isSameAddress(known, address)));
  if (strange.length > 0) {
    return {
      what: `${shown}; ${strange.join(', ')} bukan alamat komputer ini`,
      advice:
        'Hapus catatan AAAA itu, atau isi dengan alamat IPv6 komputer ini: penerbit sertifikat memakainya lebih dulu.',
    };
  }
  const ipv4 = addresses.filter((address) => !isIPv6(address));
  const ownIpv4 = own.filter((address) => !isIPv6(address));
  if (ownIpv4.length > 0 && ipv4.length > 0 && !ipv4.some((address) => ownIpv4.includes(address))) {
    return {
      what: `${shown}, bukan ke komputer ini (${ownIpv4.join(', ')})`,
      advice: 'Betulkan catatan A, kecuali bila alamat itu memang meneruskan ke komputer ini.',
    };
  }
  return { what: shown };
}

/** The same IPv6 address may be written in several ways. */
const isSameAddress = (one: string, other: string): boolean =>
  isIPv6(one) && isIPv6(other) && new URL(`http://[${one}]`).host === new URL(`http://[${other}]`).host;
