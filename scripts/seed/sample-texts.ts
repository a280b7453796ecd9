/** The password of every account. */
export const SAMPLE_PASSWORD = 'kata-sandi-contoh';

/** Names and texts that are realistic for a small Indonesian town. */
export const FIRST_NAMES = [
  'Agus', 'Siti', 'Budi', 'Dewi', 'Slamet', 'Sri', 'Joko', 'Ratna', 'Wahyu', 'Endang', 'Hendra', 'Lestari', 'Bambang',
  'Yuni', 'Eko', 'Rina', 'Dwi', 'Nur', 'Tri', 'Indah', 'Rudi', 'Wati', 'Teguh', 'Fitri', 'Ahmad', 'Ayu', 'Imam', 'Maya',
  'Made', 'Ketut',
] as const; // prettier-ignore
export const LAST_NAMES = [
  'Santoso',
  'Wijaya',
  'Rahayu',
  'Lestari',
  'Hidayat',
  'Kusuma',
  'Saputra',
  'Wulandari',
  'Nugroho',
  'Susanti',
  'Setiawan',
  'Utami',
  'Prasetyo',
  'Handayani',
  'Gunawan',
  'Maharani',
  'Siregar',
  'Simanjuntak',
  'Hakim',
  'Permata',
] as const;
export const STREETS = [
  'Jl. Melati',
  'Jl. Kenanga',
  'Jl. Diponegoro',
  'Jl. Ahmad Yani',
  'Jl. Pasar Lama',
  'Gg. Mawar',
  'Jl. Raya Desa',
  'Jl. Sawah Baru',
  'Jl. Kartini',
  'Jl. Sudirman',
] as const;
export const VILLAGES = ['Sukamaju', 'Karanganyar', 'Sidomulyo', 'Mekarsari'] as const;
export const DESCRIPTIONS = [
  'Rumah warisan orang tua',
  'Tanah di samping balai desa',
  'Ruko dua lantai',
  'Dipakai bersama adik',
  null,
  null,
  null,
] as const;
export const NOTES = [
  'Dibayar lewat Bank Jateng',
  'Bukti asli disimpan di rumah',
  'Menunggu verifikasi',
  null,
  null,
  null,
] as const;

/** Conversations that are typical of a tax service, as pairs of a side and its message. */
export const SAMPLE_CONVERSATIONS: readonly (readonly [side: 'user' | 'admin', content: string])[][] = [
  [
    ['user', 'Selamat pagi, saya sudah bayar, kenapa tercatat belum?'],
    ['admin', 'Selamat pagi. Boleh dikirim tanggal bayar dan foto buktinya?'],
    ['user', 'Bayar tanggal 3 kemarin lewat bank, fotonya sudah saya unggah.'],
    ['admin', 'Terima kasih, sudah kami cek dan statusnya sekarang Lunas.'],
    ['user', 'Alhamdulillah, terima kasih banyak 🙏'],
  ],
  [
    ['user', 'Permisi, berapa tunggakan saya untuk tanah yang di Sukamaju?'],
    ['admin', 'Ada satu tahun yang belum lunas. Rinciannya ada di menu Data Pajak, pilih Hanya tunggakan.'],
    ['user', 'Oh iya ketemu. Bisa dicicil?'],
  ],
  [
    ['user', 'Nomor SPT saya salah satu angka, bagaimana mengubahnya?'],
    ['admin', 'Buka datanya lalu tekan Edit, atau sebutkan nomor yang benar, nanti kami bantu.'],
    ['user', 'Sudah bisa, terima kasih Bu.'],
  ],
  [['user', 'Kantor buka sampai jam berapa hari ini?']],
  [
    ['user', 'Foto buktinya tidak bisa dibuka di HP saya'],
    ['admin', 'Coba muat ulang halamannya ya Pak. Kalau masih gagal, kirim ulang fotonya dalam bentuk JPG.'],
  ],
];
