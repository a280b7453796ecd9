import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPage } from '#client/testing/render.tsx';
import { noProofChange, type ProofChange, ProofField } from './proof-field.tsx';

function image(name: string, type: string, bytes = 10): File {
  return new File([new Uint8Array(bytes)], name, { type });
}

function renderProofField(currentUrl: string | null = null) {
  const choices: ProofChange[] = [];
  const busy: boolean[] = [];
  function Form() {
    const [value, setValue] = useState(noProofChange);
    const change = (choice: ProofChange) => {
      choices.push(choice);
      setValue(choice);
    };
    return (
      <ProofField value={value} onChange={change} currentUrl={currentUrl} onBusyChange={(now) => busy.push(now)} />
    );
  }
  const view = renderPage(<Form />);
  const input = view.container.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('No file input');
  const pick = (file: File) => fireEvent.change(input, { target: { files: [file] } });
  return { ...view, choices, busy, input, pick };
}

it('shows the accepted types and has a name for screen readers', () => {
  const { input } = renderProofField();
  expect(screen.getByText('JPG, PNG, GIF. Maksimal 5MB')).toBeTruthy();
  // The bound must not keep anybody from a large photo of a phone.
  expect(screen.getByText('JPG, PNG, GIF. Maksimal 5MB').parentElement?.textContent).toContain('foto besar dikecilkan');
  expect(screen.getAllByLabelText(/Bukti Pembayaran/)).toContain(input);
  expect(input.accept).toBe('image/*');
});

it('keeps and shows a photo that cannot be made smaller', async () => {
  const { pick, choices, busy } = renderProofField();
  const photo = image('nota.jpg', 'image/jpeg');
  pick(photo);
  expect(screen.getByText('Mengecilkan foto…')).toBeTruthy();
  const preview = await screen.findByRole('img', { name: 'Pratinjau bukti pembayaran' });
  expect(preview.getAttribute('src')).toBe('blob:test');
  expect(choices).toEqual([{ file: photo, remove: false }]);
  expect(busy).toEqual([true, false]);
});

it('drops the new image first and removes the stored one only then', async () => {
  const { pick, choices, user } = renderProofField('http://localhost/uploads/a.jpg');
  expect(screen.getByRole('img', { name: 'Bukti pembayaran saat ini' })).toBeTruthy();
  const photo = image('nota.png', 'image/png');
  pick(photo);
  await screen.findByRole('img', { name: 'Pratinjau bukti pembayaran' });
  await user.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
  expect(screen.getByRole('img', { name: 'Bukti pembayaran saat ini' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
  expect(screen.queryByRole('img')).toBeNull();
  expect(choices).toEqual([{ file: photo, remove: false }, noProofChange, { file: null, remove: true }]);
});

it('warns of a file over 5 MB but leaves the decision to the server', async () => {
  const { pick, choices } = renderProofField();
  pick(image('besar.gif', 'image/gif', 5_242_881));
  expect(await screen.findByText(/Ukuran file maksimal 5MB/)).toBeTruthy();
  expect(choices).toHaveLength(1);
});

it('refuses a file that is not an image', async () => {
  const { pick, choices, input } = renderProofField();
  pick(image('surat.pdf', 'application/pdf'));
  expect(await screen.findByText('File harus berupa gambar JPG, PNG, atau GIF')).toBeTruthy();
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(choices).toEqual([]);
});

it('keeps only the last of two quick picks', async () => {
  const { pick, choices } = renderProofField();
  const second = image('b.jpg', 'image/jpeg');
  pick(image('a.jpg', 'image/jpeg'));
  pick(second);
  await waitFor(() => expect(choices).toHaveLength(1));
  expect(choices[0]?.file).toBe(second);
});

it('accepts a file that is dropped on it', async () => {
  const { choices } = renderProofField();
  const photo = image('a.jpg', 'image/jpeg');
  fireEvent.drop(screen.getByText('Pilih atau ambil foto'), { dataTransfer: { files: [photo] } });
  await waitFor(() => expect(choices).toEqual([{ file: photo, remove: false }]));
});

it('shows a text when the stored image cannot be loaded', () => {
  renderProofField('http://localhost/uploads/gone.jpg');
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByText('Gambar tidak dapat ditampilkan')).toBeTruthy();
});
