import type { LegalDocument } from './legal-versions.ts';

export type LegalText = {
  title: string;
  intro: string;
  points: readonly string[];
};

export const legalTexts: Record<LegalDocument, LegalText> = {
  terms: {
    title: 'Syarat & Ketentuan',
    intro: 'Dengan mendaftar, Anda menyetujui hal-hal berikut.',
    points: [
      'PBB Kita membantu Anda mencatat tagihan dan bukti pembayaran PBB. Data di sini tidak menggantikan dokumen resmi dari kantor pajak daerah.',
      'Isilah data dengan benar, dan hanya untuk objek pajak yang menjadi tanggung jawab Anda.',
      'Jagalah kerahasiaan password Anda. Keluarlah dari akun setelah memakai ponsel atau komputer milik bersama.',
      'Administrator dapat menonaktifkan akun yang disalahgunakan.',
    ],
  },
  privacy: {
    title: 'Kebijakan Privasi',
    intro: 'Data Anda hanya dipakai untuk mengurus data PBB Anda.',
    points: [
      'Yang disimpan: nama, email, nomor HP bila Anda mengisinya, data PBB, foto bukti pembayaran, dan percakapan Anda dengan administrator beserta foto dan dokumen di dalamnya.',
      'Yang dapat melihatnya: Anda sendiri dan administrator. Data tidak dijual, dan tidak ada iklan atau pelacak.',
      'Password disimpan dalam bentuk teracak sehingga tidak dapat dibaca oleh siapa pun.',
      'Anda dapat mengubah atau menghapus data PBB Anda kapan saja.',
      'Anda dapat mengunduh salinan semua data Anda di Akun Saya, bagian Data saya. Berkas salinan dihapus dari server setelah satu hari.',
      'Akun beserta seluruh datanya dapat Anda minta dihapus di Akun Saya. Kantor memutuskannya sebelum tenggat yang tampil di sana, dan menyebut alasannya bila menolak.',
      'Kantor dapat mengatur masa simpan: pesan yang lebih lama, dan akun warga yang selama itu tidak dipakai, dihapus otomatis beserta isinya. Masa simpan paling singkat 6 bulan.',
      'Yang tetap ada sesudah akun dihapus: riwayat perubahan di kantor, daftar objek dari kantor pajak, dan tanda terima. Cadangan kantor masih memuat data Anda sampai cadangannya diganti, biasanya paling lama 12 bulan; salinan berjalan kehilangannya dalam satu jam.',
      'Bila kantor memakai PostgreSQL: sisa data yang dihapus, yang tidak terbaca lagi di aplikasi, dapat tinggal di disk server itu sampai tertimpa.',
    ],
  },
};
