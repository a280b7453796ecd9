import { renderSVG } from 'uqr';
import { escapeMarkup } from '#shared/domain/escape-markup.ts';
import { APP_NAME, appNameOf } from '#shared/labels.ts';
import type { LocalAuthority } from './certificate-source.ts';

/** The systems with their own steps on the trust page. */
export type Device = 'android' | 'iphone' | 'windows' | 'mac';

type TrustPageContent = {
  /** Empty while the office has no name. */
  officeName: string;
  authority: LocalAuthority;
  secureAddresses: string[];
  /** The URL of this page for another device; null when no other device can reach it. */
  pageUrl: string | null;
  /** The device whose steps are open at first. */
  device: Device | null;
};

const CERTIFICATE_LINK = '<a class="button" href="/ca.crt">Unduh sertifikat</a>';
const PROFILE_LINK = '<a class="button" href="/ca.mobileconfig">Unduh profil</a>';

type Guide = { id: Device | 'firefox'; title: string; steps: (name: string) => string[]; note?: string };

/** With the Indonesian names that the systems use, and the English names where these are shown. */
const guides: Guide[] = [
  {
    id: 'android',
    title: 'HP atau tablet Android',
    steps: (name) => [
      `${CERTIFICATE_LINK} lalu simpan berkasnya.`,
      'Buka <b>Setelan</b> (Settings), ketik <b>sertifikat CA</b> (CA certificate) di kotak pencarian, lalu pilih hasilnya. Biasanya ada di <b>Keamanan → Setelan keamanan lainnya → Enkripsi &amp; kredensial → Instal sertifikat → Sertifikat CA</b>.',
      'Pilih <b>Tetap instal</b> (Install anyway), masukkan PIN atau pola HP, lalu pilih berkas <b>pbb-kita-ca.crt</b> dari Unduhan.',
      `Selesai bila tertulis “Sertifikat CA diinstal”. Buka alamat https di bawah dengan Chrome. Sertifikat <b>${name}</b> terlihat di <b>Kredensial tepercaya → Pengguna</b>.`,
    ],
    note: 'HP harus memakai kunci layar (PIN, pola, atau sidik jari). Bila Android menulis “jaringan mungkin dipantau”, itu pemberitahuan biasa karena ada sertifikat tambahan.',
  },
  {
    id: 'iphone',
    title: 'iPhone atau iPad',
    steps: (name) => [
      `Dengan <b>Safari</b>: ${PROFILE_LINK} lalu ketuk <b>Izinkan</b> (Allow).`,
      'Buka <b>Pengaturan</b> (Settings). Di bagian atas ketuk <b>Profil Diunduh</b> (Profile Downloaded), lalu <b>Instal</b>, masukkan kode sandi, dan <b>Instal</b> lagi.',
      `Kembali ke <b>Pengaturan → Umum → Mengenai → Pengaturan Kepercayaan Sertifikat</b> (General → About → Certificate Trust Settings), lalu nyalakan <b>${name}</b>.`,
      'Buka alamat https di bawah.',
    ],
    note: 'Langkah ketiga sering terlupa. Tanpa itu iPhone tetap menolak alamatnya.',
  },
  {
    id: 'windows',
    title: 'Komputer Windows (Chrome, Edge)',
    steps: (name) => [
      `${CERTIFICATE_LINK} lalu buka berkasnya dan klik <b>Open</b>.`,
      'Klik <b>Install Certificate…</b>, pilih <b>Current User</b>, lalu <b>Next</b>.',
      'Pilih <b>Place all certificates in the following store</b>, klik <b>Browse…</b>, pilih <b>Trusted Root Certification Authorities</b>, lalu <b>OK</b>, <b>Next</b>, <b>Finish</b>.',
      `Windows bertanya apakah <b>${name}</b> dipercaya: cocokkan sidik jari SHA-1 (thumbprint) di bawah, lalu klik <b>Yes</b>.`,
      'Tutup semua jendela peramban, buka lagi, lalu buka alamat https di bawah.',
    ],
  },
  {
    id: 'mac',
    title: 'Komputer Mac (Safari, Chrome)',
    steps: (name) => [
      `${CERTIFICATE_LINK} lalu klik dua kali berkasnya. <b>Keychain Access</b> (Akses Rantai Kunci) terbuka; pilih rantai kunci <b>login</b>.`,
      `Di daftar, klik dua kali <b>${name}</b>, buka bagian <b>Trust</b> (Kepercayaan).`,
      'Pada <b>When using this certificate</b> pilih <b>Always Trust</b> (Selalu Percayai), tutup jendelanya, lalu masukkan kata sandi Mac.',
      'Buka alamat https di bawah.',
    ],
  },
  {
    id: 'firefox',
    title: 'Firefox',
    steps: (name) => [
      'Di Windows dan Mac, lakukan langkah untuk Windows atau Mac di atas, lalu buka lagi Firefox. Firefox memakai sertifikat yang dipercaya komputer.',
      `Bila masih ditolak, atau di Linux: ${CERTIFICATE_LINK} Lalu buka <b>Pengaturan → Privasi &amp; Keamanan → Sertifikat → Lihat Sertifikat → Otoritas → Impor</b>.`,
      `Pilih berkas <b>pbb-kita-ca.crt</b>, centang <b>Percayai CA ini untuk mengidentifikasi situs web</b>, klik <b>OK</b>. <b>${name}</b> ada di daftar.`,
      'Di HP Android, pakailah Chrome.',
    ],
  },
];

/** Renders the page without scripts and external files: it must work before a device trusts the server. */
export function renderTrustPage({ officeName, authority, secureAddresses, pageUrl, device }: TrustPageContent): string {
  const name = escapeMarkup(authority.name);
  return `<!doctype html>
<html lang="id">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Percayai server ini - ${APP_NAME}</title>
<link rel="icon" href="data:,">
<style>${trustPageStyle}</style>
</head>
<body>
<main>
<header>
<p class="brand">${escapeMarkup(appNameOf(officeName))}</p>
<h1>Percayai server ini</h1>
<p>Cukup sekali di setiap perangkat. Setelah itu alamat <b>https</b> terbuka tanpa peringatan, percakapan terenkripsi, dan <b>pemberitahuan</b> pesan baru dapat dinyalakan.</p>
<p>Tidak wajib: alamat <b>http</b> yang biasa tetap dapat dipakai, hanya tanpa pemberitahuan.</p>
</header>
<section aria-labelledby="langkah">
<h2 id="langkah">1. Pilih perangkat Anda</h2>
${guides.map((guide) => guideHtml(guide, name, guide.id === device)).join('\n')}
</section>
<section aria-labelledby="buka">
<h2 id="buka">2. Buka alamat yang aman</h2>
${addressesHtml(secureAddresses)}
<p>Simpan alamat ini sebagai penanda, atau tambahkan ke layar utama. Anda perlu masuk (login) sekali lagi di sana.</p>
</section>
${pageUrl === null ? '' : otherDeviceHtml(pageUrl)}
<section aria-labelledby="cek">
<h2 id="cek">Pastikan sertifikatnya benar</h2>
<p>Nama: <b>${name}</b>, berlaku sampai <b>${formatLongDate(authority.validUntil)}</b>. Sidik jari yang ditampilkan perangkat harus sama dengan ini. Bila ragu, buka halaman ini di komputer server sendiri lalu cocokkan.</p>
<p class="fingerprint"><b>SHA-256</b><br>${withLineBreaks(authority.fingerprint)}</p>
<p class="fingerprint"><b>SHA-1</b> (ditanyakan Windows)<br>${withLineBreaks(authority.thumbprint)}</p>
<p>Sertifikat ini hanya berlaku untuk alamat di dalam jaringan lokal, tidak untuk situs lain di internet. Untuk menghapusnya, buka tempat yang sama di setelan perangkat lalu hapus <b>${name}</b>.</p>
</section>
<footer><a href="/">Kembali ke ${APP_NAME}</a></footer>
</main>
</body>
</html>
`;
}

function guideHtml({ id, title, steps, note }: Guide, name: string, isOpen: boolean): string {
  const list = steps(name).map((step) => `<li>${step}</li>`);
  return `<details id="${id}"${isOpen ? ' open' : ''}>
<summary>${title}</summary>
<ol>${list.join('')}</ol>
${note === undefined ? '' : `<p class="note">${note}</p>`}</details>`;
}

function addressesHtml(addresses: string[]): string {
  if (addresses.length === 0) return '<p>Komputer server belum terhubung ke jaringan.</p>';
  const links = addresses.map((address) => `<li><a href="${escapeMarkup(address)}">${escapeMarkup(address)}</a></li>`);
  return `<ul class="addresses">${links.join('')}</ul>`;
}

function otherDeviceHtml(pageUrl: string): string {
  // Dark on light in both themes, because many cameras read no other QR codes.
  const qr = renderSVG(pageUrl, { border: 3 }).replace('<svg ', '<svg aria-hidden="true" ');
  return `<section aria-labelledby="lain">
<h2 id="lain">Perangkat lain</h2>
<p>Pindai dengan kamera HP untuk membuka halaman ini di sana:</p>
<div class="qr">${qr}</div>
<p class="address">${escapeMarkup(pageUrl)}</p>
</section>`;
}

const withLineBreaks = (fingerprint: string): string => fingerprint.replaceAll(':', ':<wbr>');
const formatLongDate = (day: string): string =>
  new Intl.DateTimeFormat('id-ID', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));

/** The style of the trust page. It has the colours of the client, but uses none of its files. */
const trustPageStyle = `
:root { --text: #1f2328; --soft: #57606a; --page: #f6f8fa; --card: #fff; --line: #d0d7de; --accent: #1864ab; --on-accent: #fff; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --soft: #a9b1ba; --page: #14171a; --card: #1f2428; --line: #3a4148; --accent: #74c0fc; --on-accent: #0b2239; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 44rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; }
h1 { margin: 0 0 .75rem; font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .75rem; font-size: 1.15rem; line-height: 1.3; }
p { margin: .5rem 0; }
a { color: var(--accent); }
.brand { margin: 0 0 .25rem; color: var(--soft); font-weight: 600; }
details { margin: .5rem 0; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); }
summary { padding: .8rem 1rem; font-weight: 600; cursor: pointer; }
summary:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details ol { margin: 0; padding: 0 1rem .75rem 2.25rem; }
details li { margin: .6rem 0; }
.note { margin: 0; padding: .75rem 1rem; border-top: 1px solid var(--line); color: var(--soft); }
.button { display: inline-block; margin: .1rem .4rem .1rem 0; padding: .45rem .9rem; border-radius: .4rem; background: var(--accent); color: var(--on-accent); font-weight: 600; text-decoration: none; }
.addresses { margin: 0; padding: 0; list-style: none; }
.addresses a { display: block; margin: .5rem 0; padding: .8rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font-weight: 600; }
.qr { width: 13rem; max-width: 100%; border-radius: .5rem; overflow: hidden; background: #fff; }
.qr svg { display: block; width: 100%; height: auto; }
.address { color: var(--soft); }
.fingerprint { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); font: .9rem/1.7 ui-monospace, monospace; }
footer { margin-top: 2rem; }
`;
