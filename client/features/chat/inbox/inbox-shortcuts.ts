/** The keys of the inbox, as its screen and the list of all keys show them. */
export const inboxShortcuts: readonly { keys: readonly string[]; text: string }[] = [
  { keys: ['↑', '↓'], text: 'berpindah percakapan' },
  { keys: ['Enter'], text: 'mengirim pesan' },
  { keys: ['Esc'], text: 'kembali ke daftar' },
  { keys: ['/'], text: 'mencari' },
];
