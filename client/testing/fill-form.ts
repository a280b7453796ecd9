import { fireEvent, screen } from '@testing-library/react';

/** The field of the form with this label. */
export function textField(label: string): HTMLInputElement {
  return screen.getByRole<HTMLInputElement>('textbox', { name: label });
}

/** Opens the long texts of a record's form, which are folded while they are empty. */
function openNotes(): void {
  const button = screen.queryByRole('button', { name: 'Tambah catatan' });
  if (button) fireEvent.click(button);
}

/** Pastes values into the fields with these labels. */
export function fillFields(values: Record<string, string>): void {
  if ('Deskripsi' in values || 'Catatan' in values) openNotes();
  for (const [label, value] of Object.entries(values)) fireEvent.input(textField(label), { target: { value } });
}

export const requiredFields = { Nama: 'Siti Aminah', Alamat: 'Jl. Melati 1', 'Nomor SPT': 'SPT-1', Jumlah: '1500000' };

export function pickPhoto(name = 'struk.jpg'): File {
  const file = new File(['bytes'], name, { type: 'image/jpeg' });
  fireEvent.change(screen.getByLabelText('Foto bukti pembayaran'), { target: { files: [file] } });
  return file;
}

export function selectOption(label: string, value: string): void {
  fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value } });
}
