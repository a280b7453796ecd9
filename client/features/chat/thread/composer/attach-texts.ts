import { formatBytes } from '#shared/domain/format-bytes.ts';
import { ATTACHMENTS_PER_MESSAGE_MAX } from '#shared/limits.ts';

const quoted = (name: string): string => `“${name}”`;

/** Why a file is not attached, and what to do instead (docs/requirements.md R-FILE-42). */
export const attachTexts = {
  tooMany: (names: readonly string[]) =>
    `Paling banyak ${ATTACHMENTS_PER_MESSAGE_MAX} berkas dalam satu pesan. ${names.map(quoted).join(', ')} belum dilampirkan: kirim dulu yang ini, lalu lampirkan lagi.`,
  overfull: (count: number) =>
    `Ada ${count} berkas, paling banyak ${ATTACHMENTS_PER_MESSAGE_MAX} dalam satu pesan. Hapus ${count - ATTACHMENTS_PER_MESSAGE_MAX} berkas dulu.`,
  missing: (names: readonly string[]) =>
    `${names.map(quoted).join(', ')} tidak ada lagi di perangkat ini. Hapus dari lampiran, lalu pilih lagi.`,
  wrongType: (name: string) =>
    `${quoted(name)} tidak bisa dikirim. Kirim foto (JPG, PNG, GIF, WebP) atau PDF; dokumen Word atau Excel simpan dulu sebagai PDF.`,
  heic: (name: string) =>
    `${quoted(name)} berformat HEIC dan tidak terbaca di sini. Ubah dulu ke JPG, atau kirim tangkapan layarnya.`,
  unreadableImage: (name: string) =>
    `${quoted(name)} tidak terbaca sebagai foto. Simpan sebagai JPG atau PNG, lalu pilih lagi.`,
  empty: (name: string) => `${quoted(name)} kosong (0 byte). Pilih berkas lain.`,
  unreadable: (name: string) => `${quoted(name)} tidak dapat dibaca. Simpan dulu di perangkat ini, lalu pilih lagi.`,
  pdfTooLarge: (name: string, bytes: number) =>
    `${quoted(name)} terlalu besar (${formatBytes(bytes)}). PDF paling besar 5 MB: perkecil dulu, atau kirim foto halamannya.`,
  photoTooLarge: (name: string, bytes: number) =>
    `${quoted(name)} terlalu besar (${formatBytes(bytes)}). Gambar paling besar 5 MB: pilih yang lebih kecil.`,
} as const;
