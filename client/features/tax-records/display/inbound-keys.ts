/** The keys of 'Bukti masuk', for the list of all keys. */
export const inboundKeys = [
  { keys: ['Enter'], text: 'Cocok, atau ke tanggal pada STTS, lalu Cocok & tandai lunas' },
  { keys: ['C'], text: 'Cocok saja, statusnya tetap' },
  { keys: ['X'], text: 'Tidak cocok, dengan alasan' },
  { keys: ['→'], text: 'melewati bukti ini' },
  { keys: ['←'], text: 'kembali ke bukti sebelumnya' },
  { keys: ['F'], text: 'melihat foto dalam ukuran penuh' },
  { keys: ['Z'], text: 'mengurungkan keputusan terakhir' },
] as const;
