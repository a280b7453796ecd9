/** Names and words of a believable small town. */
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

/** Talks as they happen at such a counter: R is the resident, K the office. */
export const SAMPLE_CONVERSATIONS: readonly (readonly [who: 'R' | 'K', text: string])[][] = [
  [
    ['R', 'Selamat pagi, saya sudah bayar, kenapa tercatat belum?'],
    ['K', 'Selamat pagi. Boleh dikirim tanggal bayar dan foto buktinya?'],
    ['R', 'Bayar tanggal 3 kemarin lewat bank, fotonya sudah saya unggah.'],
    ['K', 'Terima kasih, sudah kami cek dan statusnya sekarang Lunas.'],
    ['R', 'Alhamdulillah, terima kasih banyak 🙏'],
  ],
  [
    ['R', 'Permisi, berapa tunggakan saya untuk tanah yang di Sukamaju?'],
    ['K', 'Ada satu tahun yang belum lunas. Rinciannya ada di menu Data Pajak, pilih Hanya tunggakan.'],
    ['R', 'Oh iya ketemu. Bisa dicicil?'],
  ],
  [
    ['R', 'Nomor SPT saya salah satu angka, bagaimana mengubahnya?'],
    ['K', 'Buka datanya lalu tekan Edit, atau sebutkan nomor yang benar, nanti kami bantu.'],
    ['R', 'Sudah bisa, terima kasih Bu.'],
  ],
  [['R', 'Kantor buka sampai jam berapa hari ini?']],
  [
    ['R', 'Foto buktinya tidak bisa dibuka di HP saya'],
    ['K', 'Coba muat ulang halamannya ya Pak. Kalau masih gagal, kirim ulang fotonya dalam bentuk JPG.'],
  ],
];
