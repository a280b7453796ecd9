import { fireEvent, screen } from '@testing-library/react';

/** The field of the form with this label. */
export function field(label: string): HTMLInputElement {
  return screen.getByRole<HTMLInputElement>('textbox', { name: label });
}

/** Writes into fields by their labels, as a paste would. */
export function fill(values: Record<string, string>): void {
  for (const [label, value] of Object.entries(values)) fireEvent.input(field(label), { target: { value } });
}

export const required = { Nama: 'Siti Aminah', Alamat: 'Jl. Melati 1', 'Nomor SPT': 'SPT-1', Jumlah: '1500000' };

export function pickPhoto(name = 'struk.jpg'): File {
  const file = new File(['bytes'], name, { type: 'image/jpeg' });
  fireEvent.change(screen.getByLabelText('Foto bukti pembayaran'), { target: { files: [file] } });
  return file;
}

export function choose(label: string, value: string): void {
  fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value } });
}
