import type { InstallWay } from './install-way.ts';

/** The buttons to press, in the words of each browser in Indonesian (R-PWA-32). */
export const installSteps: Record<InstallWay, readonly string[]> = {
  ios: [
    'Tekan tombol “Bagikan” (kotak dengan panah ke atas). Di sebagian iPhone tombol itu ada di menu titik tiga.',
    'Gulir ke bawah, lalu pilih “Tambah ke Layar Utama”.',
    'Tekan “Tambah”. Ikon PBB Kita lalu ada di layar utama.',
  ],
  'ios-elsewhere': [
    'Halaman ini terbuka di dalam aplikasi lain. Buka menunya, lalu pilih “Buka di Safari”.',
    'Di Safari, tekan “Bagikan”, lalu “Tambah ke Layar Utama”.',
  ],
  'android-chrome': [
    'Buka menu ⋮ di kanan atas peramban.',
    'Pilih “Tambahkan ke layar utama”, lalu “Instal”. Di sebagian HP tertulis “Instal aplikasi”.',
  ],
  'android-firefox': ['Buka menu ⋮ peramban.', 'Pilih “Tambahkan ke layar utama” atau “Instal”.'],
  'android-samsung': ['Buka menu ≡ di kanan bawah.', 'Pilih “Tambahkan halaman ke”, lalu “Layar Utama”.'],
  'android-elsewhere': [
    'Halaman ini terbuka di dalam aplikasi lain. Buka menunya, lalu pilih “Buka di Chrome” atau “Buka di peramban”.',
    'Di peramban itu, buka menu ⋮ lalu pilih “Tambahkan ke layar utama”.',
  ],
  'mac-safari': ['Di menu Safari, pilih “File”, lalu “Tambah ke Dock”.'],
  edge: ['Buka menu ⋯ di kanan atas.', 'Pilih “Aplikasi”, lalu “Instal PBB Kita”.'],
  chrome: [
    'Tekan ikon pasang di ujung kanan bilah alamat.',
    'Bila ikon itu tidak ada: buka menu ⋮, pilih “Transmisikan, simpan, dan bagikan”, lalu “Instal PBB Kita”.',
  ],
  none: [],
};

export const CANNOT_INSTALL =
  'Peramban ini tidak dapat memasang aplikasi. Buka alamat yang sama di Chrome atau Edge, lalu pasang dari sana.';
export const NEEDS_HTTPS =
  'Aplikasi untuk layar utama hanya dapat dipasang lewat alamat https. Halaman ini dibuka lewat http biasa, dan tetap dapat dipakai seperti sekarang.';
