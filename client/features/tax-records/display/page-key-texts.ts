/** The keys of the admins' list of records, for the list of all keys. */
export const recordListKeys = [
  { keys: ['J'], text: 'ke baris berikutnya' },
  { keys: ['K'], text: 'ke baris sebelumnya' },
  { keys: ['Enter'], text: 'membuka data di baris ini' },
  { keys: ['X'], text: 'memilih baris ini' },
  { keys: ['Shift', 'X'], text: 'memilih dari baris pilihan terakhir sampai baris ini' },
  { keys: ['T'], text: 'menandai lunas data yang dipilih, atau data di baris ini' },
  { keys: ['Ctrl', 'Z'], text: 'mengurungkan tanda lunas yang baru saja diberikan' },
] as const;

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
