export type LegalText = { title: string; intro: string; points: string[] };

export const terms: LegalText = {
  title: 'Syarat & Ketentuan',
  intro: 'Dengan mendaftar, Anda menyetujui hal-hal berikut.',
  points: [
    'PBB Kita membantu Anda mencatat tagihan dan bukti pembayaran PBB. Catatan di sini tidak menggantikan dokumen resmi dari kantor pajak daerah.',
    'Isilah data dengan benar, dan hanya untuk objek pajak yang menjadi tanggung jawab Anda.',
    'Jagalah kerahasiaan password Anda. Keluarlah dari akun setelah memakai ponsel atau komputer milik bersama.',
    'Administrator dapat menonaktifkan akun yang disalahgunakan.',
  ],
};

export const privacy: LegalText = {
  title: 'Kebijakan Privasi',
  intro: 'Data Anda hanya dipakai untuk mengurus catatan PBB Anda.',
  points: [
    'Yang disimpan: nama, email, data PBB, foto bukti pembayaran, dan percakapan Anda dengan administrator.',
    'Yang dapat melihatnya: Anda sendiri dan administrator. Data tidak dijual, dan tidak ada iklan atau pelacak.',
    'Password disimpan dalam bentuk teracak sehingga tidak dapat dibaca oleh siapa pun.',
    'Anda dapat mengubah atau menghapus catatan Anda kapan saja. Untuk menghapus akun beserta seluruh datanya, hubungi administrator.',
  ],
};
