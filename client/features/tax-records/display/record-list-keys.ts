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
