/** The keys of the office's list, for the list of all keys. */
export const objectListKeys = [
  { keys: ['J'], text: 'ke objek berikutnya' },
  { keys: ['K'], text: 'ke objek sebelumnya' },
  { keys: ['Enter'], text: 'membuka objek di baris ini' },
  { keys: ['X'], text: 'memilih objek ini' },
  { keys: ['Shift', 'X'], text: 'memilih dari objek pilihan terakhir sampai objek ini' },
] as const;

/** The keys of 'Hubungkan objek', for the list of all keys. */
export const matchKeys = [
  { keys: ['↓'], text: 'ke objek berikutnya (juga J)' },
  { keys: ['↑'], text: 'ke objek sebelumnya (juga K)' },
  { keys: ['Enter'], text: 'menghubungkan dengan calon pertama, atau dengan calon yang difokus' },
  { keys: ['Ctrl', 'Z'], text: 'mengurungkan hubungan yang baru saja dibuat' },
] as const;

/** The keys of 'Permintaan warga', for the list of all keys. */
export const claimKeys = [
  { keys: ['↓'], text: 'ke permintaan berikutnya (juga J)' },
  { keys: ['↑'], text: 'ke permintaan sebelumnya (juga K)' },
  { keys: ['Enter'], text: 'Setujui, atau tombol yang difokus' },
  { keys: ['X'], text: 'Tolak, dengan alasan' },
] as const;
