import type { QuickReplyFields } from './api.ts';

const shared = (shortcut: string, title: string, content: string): QuickReplyFields => ({
  shortcut,
  title,
  content,
  personal: false,
});

/**
 * The first ten answers that an office needs most; offered while there are none. Menus and buttons stand in “…”, as residents
 * see them; screen-words.test.ts compares them with the screens.
 */
export const SAMPLE_REPLIES: readonly QuickReplyFields[] = [
  shared(
    'salam',
    'Salam pembuka',
    'Selamat datang di layanan PBB, Bapak/Ibu {nama_depan}. Saya {admin}. Ada yang bisa saya bantu?',
  ),
  shared(
    'tagihan',
    'Rincian tunggakan',
    'Tunggakan PBB atas nama akun {nama} saat ini {jumlah_tunggakan}, dengan rincian:\n{daftar_tunggakan}\nMohon diselesaikan lewat tempat pembayaran resmi. Setelah membayar, buka menu “Data Pajak”, pilih datanya, lalu tekan “Unggah bukti pembayaran” agar bisa kami periksa.',
  ),
  shared(
    'jatuhtempo',
    'Jatuh tempo terdekat',
    'Jatuh tempo PBB Bapak/Ibu {nama_depan} yang terdekat adalah {jatuh_tempo_terdekat}. Pembayaran sebelum tanggal itu tidak dihitung sebagai tunggakan.',
  ),
  shared(
    'lunas',
    'Pembayaran sudah tercatat',
    'Pembayaran PBB tahun {?tahun pajak} untuk nomor SPT {?nomor SPT} sudah kami catat lunas, Bapak/Ibu {nama_depan}. Tunggakan yang masih tercatat pada akun Bapak/Ibu: {jumlah_tunggakan}.',
  ),
  shared(
    'caranya',
    'Cara mengirim bukti bayar',
    'Cara mengirim bukti bayar: buka menu “Data Pajak”, pilih datanya, lalu tekan “Unggah bukti pembayaran”. Pilih foto yang jelas dan tidak terpotong, lalu “Saya sudah membayar”. Petugas kami akan memeriksanya.',
  ),
  shared(
    'bukti',
    'Bukti bayar kurang jelas',
    'Foto bukti bayarnya belum bisa kami baca, Bapak/Ibu {nama_depan}. Mohon foto ulang di tempat terang, seluruh lembar terlihat, terutama nomor SPT, tanggal, dan jumlahnya, lalu unggah lagi pada data PBB yang sama.',
  ),
  shared(
    'nop',
    'Minta nomor SPT atau NOP',
    'Agar bisa kami periksa, mohon tuliskan nomor SPT atau NOP yang tercetak di lembar SPPT, tahun pajaknya, dan alamat objek pajaknya.',
  ),
  shared(
    'perbaikan',
    'Perbaikan data diterima',
    'Permohonan perbaikan data sudah kami terima, Bapak/Ibu {nama_depan}. Yang akan diperbaiki: {?data yang diperbaiki}. Hasilnya kami kabarkan di percakapan ini paling lambat {?tanggal selesai}.',
  ),
  shared(
    'jam',
    'Jam layanan',
    'Jam layanan kami: {jam_layanan}. Pesan di luar jam itu tetap tersimpan dan kami jawab pada hari kerja berikutnya.',
  ),
  shared(
    'selesai',
    'Penutup',
    'Terima kasih, Bapak/Ibu {nama_depan}. Jika masih ada pertanyaan tentang PBB, silakan tulis lagi di sini kapan saja. Salam, {admin}.',
  ),
];
