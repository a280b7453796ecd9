/** The keys of 'Bukti masuk', for the list of all keys. */
export const inboundKeys = [
  { keys: ['Enter'], text: 'Cocok' },
  { keys: ['X'], text: 'Tidak cocok, dengan alasan' },
  { keys: ['L'], text: 'Cocok dan tandai lunas' },
  { keys: ['→'], text: 'melewati bukti ini' },
  { keys: ['←'], text: 'kembali ke bukti sebelumnya' },
  { keys: ['F'], text: 'melihat foto dalam ukuran penuh' },
  { keys: ['Z'], text: 'mengurungkan keputusan terakhir' },
] as const;
