type Shortcut = { keys: readonly string[]; text: string };

/** The keys of the inbox that its empty screen shows. */
export const inboxShortcuts: readonly Shortcut[] = [
  { keys: ['↑', '↓'], text: 'berpindah percakapan' },
  { keys: ['Enter'], text: 'mengirim pesan' },
  { keys: ['Esc'], text: 'kembali ke daftar' },
  { keys: ['/'], text: 'mencari' },
];

/** All keys of the inbox, by where they work. */
export const inboxShortcutGroups: readonly { screen: string; shortcuts: readonly Shortcut[] }[] = [
  {
    screen: 'Chat: daftar percakapan',
    shortcuts: [
      { keys: ['↑', '↓'], text: 'berpindah percakapan' },
      { keys: ['Home', 'End'], text: 'ke percakapan pertama atau terakhir' },
      { keys: ['Enter'], text: 'membuka percakapan untuk menulis' },
      { keys: ['Ctrl', 'Enter'], text: 'membuka percakapan di samping' },
      { keys: ['X'], text: 'memilih percakapan; dengan Shift sampai percakapan ini' },
      { keys: ['Shift', 'F10'], text: 'membuka menu percakapan' },
      { keys: ['Esc'], text: 'mengakhiri pemilihan' },
      { keys: ['/'], text: 'ke kolom pencarian nama atau email' },
      { keys: ['Ctrl', 'Shift', 'F'], text: 'mencari pesan di semua percakapan' },
    ],
  },
  {
    screen: 'Chat: percakapan yang terbuka',
    shortcuts: [
      { keys: ['Alt', '↑', '↓'], text: 'berpindah percakapan saat pesan sudah diketik' },
      // Chromium gives Ctrl with a digit to the page first; a browser or a system that does not has Alt.
      { keys: ['Ctrl', '1–4'], text: 'ke kolom 1 sampai 4; Alt+1–4 jika peramban memakainya untuk tab' },
      { keys: ['Alt', '0'], text: 'menutup kolom yang lain' },
      { keys: ['Esc'], text: 'menutup kolom, atau kembali ke daftar' },
      { keys: ['←', '→'], text: 'di tab percakapan: berpindah tab' },
      { keys: ['Delete'], text: 'di tab percakapan: menutup tab' },
      { keys: ['Enter'], text: 'di daftar pesan: ke pesan terbaru, lalu ↑ ↓ ke pesan lain' },
      { keys: ['K'], text: 'di sebuah pesan: mengutipnya' },
    ],
  },
  {
    screen: 'Chat: menulis',
    shortcuts: [
      { keys: ['Enter'], text: 'mengirim pesan' },
      { keys: ['Ctrl', 'Enter'], text: 'mengirim, lalu membuka yang paling lama menunggu' },
      { keys: ['Shift', 'Enter'], text: 'baris baru di pesan' },
      { keys: ['A–Z'], text: 'jika tidak ada yang dipilih: langsung menulis di percakapan yang terbuka' },
      { keys: ['Alt', 'N'], text: 'berganti antara balasan dan catatan' },
      { keys: ['/'], text: 'di awal kata: memilih balasan cepat' },
    ],
  },
];
