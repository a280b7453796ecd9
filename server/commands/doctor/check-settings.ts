import { isLoopback } from '#server/http/listen/lan-addresses.ts';
import { settingsTable } from '#server/settings-table.ts';
import type { Finding, Installation } from './check.ts';

/** Of letters and digits, this many are beyond every guess. */
const METRICS_TOKEN_GOOD_LENGTH = 24;
const DIFFERENT_CHARACTERS_MIN = 10;
/** A proxy has an address or a small network, never half of the internet. */
const PROXY_PREFIX_MIN = { ipv4: 8, ipv6: 32 };

// Settings may be right in an office and wrong for a server that the whole internet can reach.

export function checkDomain({ settings: { tls, host } }: Installation): Finding {
  if (isLoopback(host))
    return { what: `HOST=${host}: tidak ada yang dapat membukanya dari luar`, advice: 'Tulis HOST=0.0.0.0' };
  if (tls.public) {
    const hsts = tls.public.hsts ? '; TLS_HSTS menyala' : '';
    return { what: `nama publik: ${tls.public.domains.join(', ')}${hsts}` };
  }
  if (tls.files) return { what: 'https dengan sertifikat sendiri (TLS_CERT); nama publik tidak diperiksa' };
  return {
    what: 'tidak ada nama publik (TLS_DOMAIN): dari internet password akan terkirim tanpa enkripsi',
    advice: 'Tulis TLS_DOMAIN=nama.domain di setelan.env, atau jangan buka server ini ke internet.',
  };
}

export function checkRateLimits({ settings: { rateLimits } }: Installation): Finding {
  return rateLimits
    ? { what: 'batas percobaan menyala (RATE_LIMITS)' }
    : { what: 'RATE_LIMITS=off: password dapat dicoba tanpa batas', advice: 'Hapus setelan itu.' };
}

export function checkProxies({ settings: { trustedProxies, tls } }: Installation): Finding | null {
  const wide = (trustedProxies ?? []).filter((entry) => {
    const [address = '', prefix] = entry.split('/');
    return prefix !== undefined && Number(prefix) < PROXY_PREFIX_MIN[address.includes(':') ? 'ipv6' : 'ipv4'];
  });
  if (wide.length > 0) {
    return {
      what: `TRUST_PROXY=${wide.join(',')}: siapa pun dapat mengarang alamatnya dan melewati batas percobaan`,
      advice: 'Tulis hanya alamat proksinya sendiri, atau hapus setelan itu bila tidak ada proksi.',
    };
  }
  if (trustedProxies === null || !tls.public) return null;
  return { what: 'TRUST_PROXY menyala: hanya benar bila ada proksi di depan server ini' };
}

export function checkForeignOrigins({ settings: { corsOrigins } }: Installation): Finding | null {
  const plain = corsOrigins.filter((origin) => origin.startsWith('http:'));
  if (plain.length === 0) return null;
  return {
    what: `CORS_ORIGIN memuat alamat tanpa https: ${plain.join(', ')}`,
    advice: 'Hapus, atau ganti dengan https.',
  };
}

export function checkMetricsToken({ settings: { metricsToken } }: Installation): Finding | null {
  if (metricsToken === null) return null;
  const isGood =
    metricsToken.length >= METRICS_TOKEN_GOOD_LENGTH && new Set(metricsToken).size >= DIFFERENT_CHARACTERS_MIN;
  if (isGood) return { what: '/metrics hanya terbuka bagi pemegang METRICS_TOKEN' };
  return {
    what: 'METRICS_TOKEN pendek atau mudah ditebak, dan /metrics dapat dibuka dari internet',
    advice: `Ganti dengan ${METRICS_TOKEN_GOOD_LENGTH} karakter acak atau lebih, atau hapus.`,
  };
}

/** A generated one is beyond doubt. */
export function checkSecret({ settings: { jwtSecret, postgres } }: Installation): Finding | null {
  if (jwtSecret === null || new Set(jwtSecret).size >= DIFFERENT_CHARACTERS_MIN) return null;
  return {
    what: 'JWT_SECRET mudah ditebak: orang dapat membuat sesi sendiri',
    advice: `${
      postgres ? 'Ganti dengan 32 karakter acak atau lebih, sama di semua proses' : 'Hapus setelan itu agar dibuatkan'
    }; semua orang lalu masuk sekali lagi.`,
  };
}

export function checkTestSettings({ settings: { tls, pushAllow } }: Installation): Finding | null {
  const used = [
    ...(tls.public && tls.public.directory !== settingsTable.ACME_DIRECTORY.defaultText ? ['ACME_DIRECTORY'] : []),
    ...(tls.public?.caFile ? ['ACME_CA'] : []),
    ...(pushAllow.length > 0 ? ['PUSH_ALLOW'] : []),
  ];
  if (used.length === 0) return null;
  return {
    what: `setelan untuk pengujian terisi: ${used.join(', ')}`,
    advice: 'Hapus, kecuali bila penerbit sertifikat itu memang dipilih.',
  };
}
