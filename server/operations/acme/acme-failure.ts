/**
 * The reason why the directory gave no certificate.
 * The kind is the last part of an ACME error (`urn:ietf:params:acme:error:connection` → `connection`), a code of Node
 * (`ECONNREFUSED`), or one of those that only this client knows.
 */
export class AcmeFailure extends Error {
  readonly kind: AcmeFailureKind;
  /** The name whose check failed, where the directory says so. */
  readonly identifier: string | null;
  /** The pause for which the directory asks. */
  readonly retryAfterMs: number | null;

  /** @param detail what the directory or the system said, in its own words */
  constructor(kind: string, detail: string, about: { identifier?: string | null; retryAfterMs?: number | null } = {}) {
    super(detail);
    this.kind = kind;
    this.identifier = about.identifier ?? null;
    this.retryAfterMs = about.retryAfterMs ?? null;
  }
}

type AcmeFailureKind = string;

const ACME_ERROR = 'urn:ietf:params:acme:error:';
const DETAIL_MAX = 300;
const LISTED_NAMES_MAX = 3;

/** @returns the error in an answer of the directory (RFC 7807, RFC 8555 6.7); null when it holds none */
export function failureIn(problem: unknown, retryAfterMs: number | null = null): AcmeFailure | null {
  if (typeof problem !== 'object' || problem === null || !('type' in problem) || typeof problem.type !== 'string') {
    return null;
  }
  const { subproblems, identifier, detail } = problem as Record<string, unknown>;
  // A compound problem tells more about its first part.
  const [first] = Array.isArray(subproblems) ? subproblems : [];
  const part = first === undefined ? null : failureIn(first, retryAfterMs);
  if (part) return part;
  const name = (identifier as { value?: unknown } | undefined)?.value;
  return new AcmeFailure(problem.type.replace(ACME_ERROR, ''), typeof detail === 'string' ? detail : problem.type, {
    identifier: typeof name === 'string' ? name : null,
    retryAfterMs,
  });
}

type About = {
  /** Host of the directory. */
  directory: string;
  names: readonly string[];
};

/** One sentence or more for the person who can mend it: on the terminal, in `doctor` and on the settings page. */
export function describeFailure(failure: AcmeFailure, { directory, names }: About): string {
  const { kind } = failure;
  const name = failure.identifier ?? listNames(names);
  const said = quoteDetail(failure.message);
  switch (kind) {
    case 'connection':
    case 'tls':
      return `Penerbit sertifikat tidak dapat membuka http://${name}/ dari internet. Teruskan porta 80 di router ke komputer server, buka porta itu di firewall, dan pastikan alamat internet di DNS masih alamat kantor ini.${said}`;
    case 'dns':
      return `Nama ${name} belum dapat ditemukan di internet. Buat catatan A di tempat domain didaftarkan, lalu tunggu sampai berlaku.${said}`;
    case 'unauthorized':
    case 'incorrectResponse':
      return `Yang menjawab di http://${name}/ bukan server ini. Periksa ke komputer mana DNS dan router mengarahkan nama itu, dan apakah ada program lain pada porta 80.${said}`;
    case 'caa':
      return `Catatan CAA domain melarang penerbit ini untuk ${name}. Minta pengelola domain mengizinkannya.${said}`;
    case 'rateLimited':
      return `Penerbit membatasi jumlah permintaan untuk ${name}. Server menunggu lalu mencoba lagi sendiri; memasang ulang tidak mempercepat.${said}`;
    case 'rejectedIdentifier':
    case 'unsupportedIdentifier':
      return `Penerbit menolak nama ${name}. Minta pengelola server memeriksa nama domain di setelannya.${said}`;
    case 'invalidContact':
    case 'unsupportedContact':
      return `Penerbit menolak alamat email. Minta pengelola server memeriksa atau mengosongkan email sertifikat di setelannya.${said}`;
    case 'externalAccountRequired':
    case 'userActionRequired':
      return `Penerbit ${directory} meminta akun atau persetujuan yang harus dibuat di situsnya. Pengelola server dapat memilih penerbit lain di setelannya.${said}`;
    case 'accountRefused':
      return `Penerbit ${directory} menolak akun server ini. Server membuat akun baru pada percobaan berikutnya.${said}`;
    case 'notADirectory':
      return `Alamat penerbit (${directory}) bukan direktori ACME. Minta pengelola server memeriksanya di setelan.${said}`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EAI_FAIL':
      return `Penerbit sertifikat (${directory}) tidak ditemukan. Periksa sambungan internet dan DNS komputer server.${said}`;
    case 'CERT_NOT_YET_VALID':
    case 'CERT_HAS_EXPIRED':
      return `Sertifikat penerbit (${directory}) tidak berlaku menurut jam komputer ini. Perbaiki tanggal dan jam komputer.${said}`;
    case 'notSaved':
      return `Sertifikat tidak dapat disimpan di folder data. Periksa ruang disk dan hak foldernya.${said}`;
    case 'notStored':
      return `Sertifikat tidak dapat disimpan di database. Server mencoba lagi sendiri.${said}`;
    case 'unusable':
      return `Sertifikat yang dikirim penerbit tidak dapat dipakai untuk ${name}. Server mencoba lagi sendiri.${said}`;
    case 'late':
      return `Penerbit belum selesai memeriksa ${name}. Server mencoba lagi sendiri.${said}`;
    case 'stopped':
      return `Server dihentikan saat meminta sertifikat. Permintaan diulang sendiri.`;
    default:
      if (isUntrusted(kind)) {
        return `Sertifikat penerbit (${directory}) tidak dipercaya komputer ini. Periksa jam komputer, proksi atau antivirus yang membuka https, dan sertifikat penerbit di setelan server.${said}`;
      }
      if (/^(E[A-Z_]+|UND_\w+|timeout)$/.test(kind)) {
        return `Penerbit sertifikat (${directory}) tidak dapat dihubungi. Periksa sambungan internet, dan firewall untuk sambungan keluar ke porta 443.${said}`;
      }
      return `Penerbit sertifikat (${directory}) sedang tidak dapat melayani. Server mencoba lagi sendiri.${said}`;
  }
}

function listNames(names: readonly string[]): string {
  const more = names.length - LISTED_NAMES_MAX;
  return `${names.slice(0, LISTED_NAMES_MAX).join(', ')}${more > 0 ? `, dan ${more} lagi` : ''}`;
}

const isUntrusted = (kind: string): boolean =>
  /^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA)/.test(kind);

/** Words from outside: one line without control characters, of a bounded length. */
function quoteDetail(detail: string): string {
  const line = detail
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, DETAIL_MAX);
  return line === '' ? '' : ` (${line})`;
}
