import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { ownPasswordTexts } from '#shared/api/users.ts';
import { cardTexts } from '#shared/texts.ts';
import { CardDialog, type CardRequest } from './card-dialog.tsx';

const card = (code: string) => ({
  code,
  activation: 'K7M29-QXAC3',
  activation_expires_at: '2026-07-10T05:00:00.000Z',
  qr_url: `/masuk#${code}`,
});
const call = (number: number) => `POST /api/admin/users/u${number}/card`;
const holder = (number: number) => ({ id: `u${number}`, name: `Warga ${number}` });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ id: 'a1', name: 'Ratna', email: 'ratna@kantor.id', is_admin: true });
  server = fakeServer();
  for (const number of [1, 2, 3]) server.on(call(number), okAnswer(card(`K7M2-9QX${number + 1}`)));
});

function Opener({ request }: { request: CardRequest }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button onClick={() => setIsOpen(true)}>Buka</button>
      <CardDialog request={isOpen ? request : null} onClose={() => setIsOpen(false)} />
    </>
  );
}

async function open(request: CardRequest) {
  const view = renderPage(<Opener request={request} />, { path: '/admin/users' });
  await view.user.click(screen.getByRole('button', { name: 'Buka' }));
  const box = within(await screen.findByRole('dialog', { name: 'Kartu warga' }));
  const press = (name: string) => view.user.click(box.getByRole('button', { name }));
  return { ...view, box, press };
}
const codes = async () => within(await screen.findByRole('region', { name: 'Kartu yang dibuat' }));
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
/** The printed paper is beside the dialog, and hidden from screen readers. */
const paper = () => document.querySelectorAll('body > [aria-hidden] img');

describe('CardDialog', () => {
  it('says what ends, shows the codes once, prints them, and asks before it is left', async () => {
    const print = vi.spyOn(window, 'print').mockReturnValue();
    const { user, box, press } = await open({ holders: [holder(1)] });
    expect(box.getByText(/langsung berakhir/)).toBeTruthy();
    expect(server.callsOf(call(1))).toHaveLength(0);
    await press('Buat kartu');
    expect((await codes()).getByText('K7M2-9QX2')).toBeTruthy();
    expect((await codes()).getByText('K7M29-QXAC3')).toBeTruthy();
    expect(paper()).toHaveLength(1);
    await press('Cetak');
    expect(print).toHaveBeenCalledOnce();
    await press('Tutup');
    const question = within(await screen.findByRole('dialog', { name: 'Tinggalkan kartu ini?' }));
    await user.click(question.getByRole('button', { name: 'Tetap di sini' }));
    await press('Sudah saya cetak');
    await isClosed();
    await user.click(screen.getByRole('button', { name: 'Buka' }));
    await screen.findByRole('button', { name: 'Buat kartu' });
    expect(screen.queryByText('K7M2-9QX2')).toBeNull();
  });

  it('keeps the cards that were made when others fail, says why for each, and tries those again', async () => {
    server.on(call(2), failAnswer(409, cardTexts.usersOnly));
    const skipped = [{ key: 'o1', name: 'Budi, 35.15', reason: 'Objek belum punya akun: buat akun warga dulu.' }];
    const { box, press } = await open({ holders: [1, 2, 3].map(holder), skipped });
    expect(box.getByText(/^1 pilihan tanpa kartu/)).toBeTruthy();
    await press('Buat 3 kartu');
    const made = await codes();
    expect(made.getAllByText(/^K7M2-/).map(({ textContent }) => textContent)).toEqual(['K7M2-9QX2', 'K7M2-9QX4']);
    const missing = () => box.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(missing()).toEqual([
      'Budi, 35.15: Objek belum punya akun: buat akun warga dulu.',
      'Warga 2: Kartu hanya untuk warga',
    ]);
    server.on(call(2), okAnswer(card('K7M2-9QX3')));
    await press('Coba lagi (1)');
    await (await codes()).findByText('K7M2-9QX3');
    expect((await codes()).getAllByText(/^K7M2-/)).toHaveLength(3);
    expect(paper()).toHaveLength(3);
    expect(missing()).toHaveLength(1);
  });

  it('stops after a lost connection, which would fail the next ones, too', async () => {
    server.on(call(2), networkError);
    const { box, press } = await open({ holders: [1, 2, 3].map(holder) });
    await press('Buat 3 kartu');
    expect((await codes()).getByText('K7M2-9QX2')).toBeTruthy();
    expect(box.getByText(/Tidak dapat terhubung ke server/)).toBeTruthy();
    expect(box.getByText(/^: Belum dibuat/, { exact: false }).textContent).toBe('Warga 3: Belum dibuat');
    expect(server.callsOf(call(3))).toHaveLength(0);
  });

  it('asks for the own password when the server does, for an account that was an administrator of late', async () => {
    server.on(call(1), failAnswer(422, ownPasswordTexts.missing, { current_password: [ownPasswordTexts.missing] }));
    const { user, box, press } = await open({ holders: [holder(1)] });
    await press('Buat kartu');
    await box.findByText('Masukkan password Anda');
    server.on(call(1), okAnswer(card('K7M2-9QX2')));
    await user.type(box.getByLabelText(/^Password Anda/), 'rahasia{Enter}');
    expect((await codes()).getByText('K7M2-9QX2')).toBeTruthy();
    expect(server.callsOf(call(1)).at(-1)?.body).toMatchObject({ current_password: 'rahasia' });
  });
});
