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
      { keys: ['Enter'], text: 'membuka percakapan untuk menulis' },
      { keys: ['Ctrl', 'Enter'], text: 'membuka di samping percakapan lain' },
      { keys: ['/'], text: 'ke kolom pencarian nama atau email' },
      { keys: ['Ctrl', 'Shift', 'F'], text: 'mencari pesan di semua percakapan' },
    ],
  },
  {
    screen: 'Chat: percakapan yang terbuka',
    shortcuts: [
      { keys: ['Alt', '↑', '↓'], text: 'berpindah percakapan saat pesan sudah diketik' },
      { keys: ['Alt', '1–4'], text: 'ke kolom 1 sampai 4; Ctrl+1–4 juga, jika tidak dipakai peramban' },
      { keys: ['Alt', '0'], text: 'menutup kolom yang lain' },
      { keys: ['Esc'], text: 'menutup kolom, atau kembali ke daftar' },
      { keys: ['←', '→'], text: 'berpindah tab percakapan' },
      { keys: ['Delete'], text: 'menutup tab percakapan' },
    ],
  },
  {
    screen: 'Chat: menulis',
    shortcuts: [
      { keys: ['Enter'], text: 'mengirim pesan' },
      { keys: ['Shift', 'Enter'], text: 'baris baru di pesan' },
    ],
  },
];
