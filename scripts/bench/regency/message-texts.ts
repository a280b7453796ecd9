import type { SeededRandom } from '../../seed/seeded-random.ts';

/** Words in the order of how often they are used; the first ones are in every second message. */
const COMMON =
  `saya pak bu yang di ini itu ada untuk dan sudah mau bisa tidak pbb pajak bayar berapa dengan ke dari rumah tanah
  pembayaran tahun nya belum kalau apakah nomor terima kasih selamat pagi siang sore tolong mohon info jatuh tempo tunggakan
  denda bukti transfer bank kantor jam buka tutup hari senin besok kemarin data nama alamat salah ubah ganti sertifikat luas
  bangunan objek nop spt sppt lunas proses verifikasi foto kirim unggah aplikasi akun login sandi lupa cek dicek silakan datang
  bawa ktp kk surat kuasa balik jual beli warisan waris orang tua ibu bapak anak desa kelurahan kecamatan kota loket antre cepat
  lama baru lagi juga karena supaya jadi harus boleh perlu minta maaf baik siap oke iya betul benar masih dapat kapan dimana
  bagaimana kenapa siapa petugas admin keringanan angsuran cicil diskon pengurangan keberatan banding lapor laporan tagihan`.split(
    /\s+/u,
  );
const SYLLABLES =
  `ba pa ma sa ka ta ra la ber ter kan an i ni tu du gi ngan per men pem bu ju lo ke ri wi su mo yo so`.split(' ');
const WORDS = 30_000;

/** Texts as residents and admins write them: a few very common words, many rare ones, amounts and numbers of records. */
export function createMessageTexts(random: SeededRandom) {
  const words = new Set(COMMON);
  while (words.size < WORDS) {
    const length = random.integer(2, 4);
    words.add(Array.from({ length }, () => random.pick(SYLLABLES)).join(''));
  }
  const vocabulary = [...words];
  const uniform = (): number => random.integer(0, 1_000_000) / 1_000_001;
  /** By Zipf's law: the word of rank n is used n times less often than the first. */
  const word = (): string => vocabulary[Math.floor(WORDS ** uniform()) - 1] ?? 'saya';
  const number = (): string =>
    `32.75.0${random.integer(10, 40)}.00${random.integer(1, 9)}.00${random.integer(1, 9)}-${String(random.integer(1, 9999)).padStart(4, '0')}.0`;
  return {
    vocabulary,
    message(): string {
      const parts = Array.from({ length: random.integer(2, 18) }, word);
      if (random.withProbability(0.1)) parts.push(`Rp ${random.integer(50, 999)}.000`);
      if (random.withProbability(0.05)) parts.push(number());
      return parts.join(' ');
    },
  };
}
