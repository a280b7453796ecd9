import { formatDateTime } from '#shared/domain/dates/date-labels.ts';
import { formatNumber } from '#shared/domain/money/rupiah.ts';

type About = {
  name: string;
  isAdmin: boolean;
  officeName: string;
  nowMs: number;
  timeZone: string;
  counts: { records: number; messages: number; files: number; missing: number };
};

/** Says in plain words what is in the copy. Lines end so that every text editor shows them. */
export function writeReadMe({ name, isAdmin, officeName, nowMs, timeZone, counts }: About): string {
  const at = formatDateTime(new Date(nowMs).toISOString(), timeZone);
  const lines = [
    'SALINAN DATA ANDA DI PBB KITA',
    '',
    `Akun   : ${name}`,
    ...(officeName === '' ? [] : [`Kantor : ${officeName}`]),
    `Dibuat : ${at}`,
    '',
    'Semua berkas dapat dibuka tanpa internet. Keluarkan dulu semua berkas dari .zip ini ke satu folder.',
    '',
    'ISINYA',
    '',
    'Buka dua berkas ini dengan peramban, misalnya Chrome:',
    `  data-pbb.html    ${formatNumber(counts.records)} data PBB Anda dengan foto buktinya`,
    `  percakapan.html  percakapan Anda dengan kantor, ${formatNumber(counts.messages)} pesan`,
    '',
    'Foto dan dokumennya ada di folder bukti-pembayaran dan berkas-percakapan.',
    '',
    'data.json untuk dibaca program lain. Isinya semua data Anda: akun, persetujuan, catatan keamanan, perangkat',
    'yang masuk, objek yang terhubung, permintaan, data PBB dengan riwayatnya, dan pesan.',
    '',
    `Foto dan dokumen dalam salinan ini: ${formatNumber(counts.files)}.`,
    ...(counts.missing === 0
      ? []
      : [`${formatNumber(counts.missing)} foto atau dokumen tidak ada lagi di server, jadi tidak ikut.`]),
    '',
    'YANG TIDAK IKUT',
    '',
    `Password dan kode Anda, serta catatan kerja kantor. Nama orang kantor ditulis "Petugas".`,
    ...(isAdmin ? ['Pesan yang Anda tulis sebagai administrator tidak ikut, karena itu percakapan milik warga.'] : []),
    '',
    'Simpan berkas ini baik-baik: siapa pun yang memegangnya dapat membaca data Anda.',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
