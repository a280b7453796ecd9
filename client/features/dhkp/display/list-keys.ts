/** The keys of the office's list, for the list of all keys. */
export const objectListKeys = [
  { keys: ['J'], text: 'ke objek berikutnya' },
  { keys: ['K'], text: 'ke objek sebelumnya' },
  { keys: ['Enter'], text: 'membuka objek di baris ini' },
  { keys: ['X'], text: 'memilih objek ini' },
  { keys: ['Shift', 'X'], text: 'memilih dari objek pilihan terakhir sampai objek ini' },
] as const;
