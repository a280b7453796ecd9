import { type BoundFunctions, fireEvent, type queries, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it } from 'vitest';
import { showDateShort, today } from '#client/lib/format.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, networkError, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { OwnRecordDetail } from '../detail-page.tsx';

const ID = '0196f1f0-0000-7000-8000-0000abcd1234';
const READ = `GET /api/tax-records/${ID}`;
const EDIT = `PUT /api/tax-records/${ID}`;
const UPLOAD = `POST /api/tax-records/${ID}/payment-proof`;
const QUOTA = 'GET /api/tax-records/quota';
const PROOF = '/uploads/baru.png?t=1';

const photo = new File(['png'], 'struk.png', { type: 'image/png' });
let server: ReturnType<typeof fakeServer>;
let stored: TaxRecord;

/** Stores what is sent, as the server does. */
function storeEdits() {
  server.on(READ, () => okAnswer(stored));
  server.on(EDIT, ({ body }) => {
    const { payment_proof, remove_payment_proof, ...fields } = body as Record<string, unknown>;
    const proof = remove_payment_proof ? null : payment_proof ? PROOF : stored.payment_proof;
    stored = { ...stored, ...fields, payment_proof: proof, updated_at: '2026-01-02T00:00:00.000Z' };
    return okAnswer(stored);
  });
}

beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(QUOTA, okAnswer({ records: 1, records_max: null, proof_bytes: 0, proof_bytes_max: null }));
  stored = buildRecord({ id: ID, address: 'Jl. Melati 1', year: 2026 });
  storeEdits();
});

const open = () =>
  renderPage(<OwnRecordDetail renderAudit={() => null} />, { path: '/tax-records/:id', at: `/tax-records/${ID}` });
const save = async (user: UserEvent) => user.click(await screen.findByRole('button', { name: 'Simpan (Save)' }));
const sent = () => server.callsOf(EDIT).map(({ body }) => body);

async function choosePhoto(user: UserEvent) {
  await screen.findByRole('button', { name: 'Unggah bukti pembayaran' });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('no file input');
  await user.upload(input, photo);
  return within(await screen.findByRole('dialog', { name: 'Unggah bukti pembayaran' }));
}

/** The meaning of the photo; no choice is made beforehand. */
async function sayPaid(user: UserEvent, dialog: BoundFunctions<typeof queries>) {
  expect(dialog.getAllByRole<HTMLInputElement>('radio').filter(({ checked }) => checked)).toEqual([]);
  await user.click(dialog.getByLabelText('Saya sudah membayar'));
  await user.click(dialog.getByRole('button', { name: 'Hari ini' }));
}

async function pressMarkPaid(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Tandai lunas' }));
  return within(await screen.findByRole('dialog', { name: 'Tandai lunas' }));
}

describe('PaymentReportDialog', () => {
  it('marks a record as paid on a day that the person chose, and puts it back', async () => {
    const before = stored;
    const { user } = open();
    const dialog = await pressMarkPaid(user);
    const date = dialog.getByRole<HTMLInputElement>('textbox', { name: /Tanggal Pembayaran/ });
    expect([date.value, document.activeElement]).toEqual(['', date]);
    expect(dialog.getByText('Tanggal pada STTS')).toBeTruthy();
    expect(dialog.queryByRole('radio')).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Hari ini' }));
    expect(dialog.getByLabelText('Foto bukti (boleh menyusul)')).toBeTruthy();
    expect(dialog.getByText('Petugas dapat melihat laporan Anda.')).toBeTruthy();
    await save(user);
    await screen.findByText(`Ditandai Lunas: PBB 2026 · Jl. Melati 1 · dibayar ${showDateShort(today())}`);
    expect(sent()).toEqual([{ status: 'lunas', payment_date: today(), updated_at: before.updated_at }]);
    expect(screen.queryByRole('button', { name: 'Tandai lunas' })).toBeNull();
    await waitFor(() => expect(document.activeElement?.tagName).toBe('H1'));

    await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
    await screen.findByRole('button', { name: 'Tandai lunas' });
    expect(sent()[1]).toEqual({
      status: 'belum_lunas',
      payment_date: null,
      updated_at: '2026-01-02T00:00:00.000Z',
      undo: true,
    });
  });

  it('sends a photo with the status, shows it, and undoes both', async () => {
    stored = { ...stored, description: 'Rumah' };
    const { user } = open();
    const dialog = await choosePhoto(user);
    await dialog.findByAltText('Pratinjau bukti pembayaran');
    await sayPaid(user, dialog);
    await save(user);
    await screen.findByAltText('Bukti pembayaran');
    // A form empties what it leaves out (R-API-9), so it carries the whole record.
    expect(sent()[0]).toMatchObject({
      status: 'lunas',
      payment_date: today(),
      payment_proof: photo,
      amount: '1500000',
      description: 'Rumah',
      due_date: '2999-12-31',
    });
    await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
    await screen.findByText('Belum ada bukti pembayaran.');
    expect(sent()[1]).toMatchObject({ status: 'belum_lunas', remove_payment_proof: true, undo: true });
  });

  describe('of a record with the amount 0, whose whole form the server refuses', () => {
    beforeEach(() => {
      stored = { ...stored, amount: 0 };
      server.on(EDIT, ({ body }) => {
        const { payment_proof: file, remove_payment_proof: isRemoved, ...fields } = body as Record<string, unknown>;
        if (file) return failAnswer(422, 'Jumlah pajak harus berupa angka yang valid');
        stored = {
          ...stored,
          ...fields,
          ...(isRemoved ? { payment_proof: null } : {}),
          updated_at: '2026-01-02T00:00:00.000Z',
        };
        return okAnswer(stored);
      });
      server.on(UPLOAD, () => {
        stored = { ...stored, payment_proof: PROOF, updated_at: '2026-01-03T00:00:00.000Z' };
        return okAnswer(stored);
      });
    });

    async function sendPhoto() {
      const { user } = open();
      const dialog = await choosePhoto(user);
      await dialog.findByAltText('Pratinjau bukti pembayaran');
      await sayPaid(user, dialog);
      await save(user);
      return { user, dialog };
    }

    it('sends status and photo apart, and undoes both', async () => {
      const before = stored;
      const { user } = await sendPhoto();
      await screen.findByText(
        `Ditandai Lunas: PBB 2026 · Jl. Melati 1 · dibayar ${showDateShort(today())} · foto tersimpan`,
      );
      expect(sent()).toEqual([{ status: 'lunas', payment_date: today(), updated_at: before.updated_at }]);
      expect(server.callsOf(UPLOAD).map(({ body }) => body)).toEqual([{ payment_proof: photo }]);
      await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
      await screen.findByText('Belum ada bukti pembayaran.');
      expect(stored).toMatchObject({ status: 'belum_lunas', payment_date: null, payment_proof: null });
    });

    it('says that the status is stored when the photo is not, and then sends only the photo', async () => {
      const accept = () => {
        stored = { ...stored, payment_proof: PROOF };
        return okAnswer(stored);
      };
      server.on(UPLOAD, failAnswer(422, 'penuh', { payment_proof: ['Ruang foto bukti Anda penuh'] }));
      const { user, dialog } = await sendPhoto();
      await dialog.findByText('Status Lunas sudah tersimpan, fotonya belum.');
      expect(dialog.getByText('Ruang foto bukti Anda penuh')).toBeTruthy();
      expect(dialog.getByAltText('Pratinjau bukti pembayaran')).toBeTruthy();
      server.on(UPLOAD, accept);
      await save(user);
      await screen.findByText('Bukti pembayaran tersimpan: PBB 2026 · Jl. Melati 1');
      expect(sent()).toHaveLength(1);
    });
  });

  it('sends no photo before its owner said what it is, and keeps one that is no payment as Proses without a date', async () => {
    const { user } = open();
    const dialog = await choosePhoto(user);
    await dialog.findByAltText('Pratinjau bukti pembayaran');
    await save(user);
    await dialog.findByText('Pilih dulu: sudah membayar, atau simpan fotonya dulu');
    expect(document.activeElement).toBe(dialog.getByLabelText('Saya sudah membayar'));
    await user.click(dialog.getByLabelText('Saya sudah membayar'));
    await save(user);
    await dialog.findByText('Tanggal pembayaran wajib diisi jika status Lunas');
    expect(sent()).toEqual([]);
    await user.click(dialog.getByLabelText('Simpan fotonya dulu'));
    expect(dialog.queryByLabelText(/Tanggal Pembayaran/)).toBeNull();
    await save(user);
    await screen.findByText('Ditandai Proses: PBB 2026 · Jl. Melati 1 · foto tersimpan');
    // A form leaves out what is empty (R-REC-25).
    expect(sent()[0]).toMatchObject({ status: 'proses', payment_proof: photo });
    expect(sent()[0]).not.toHaveProperty('payment_date');
  });

  it('takes only a photo for a paid record', async () => {
    stored = { ...stored, status: 'lunas', payment_date: '2026-01-01' };
    server.on(UPLOAD, () => {
      stored = { ...stored, payment_proof: PROOF };
      return okAnswer(stored);
    });
    const { user } = open();
    const dialog = await choosePhoto(user);
    await dialog.findByAltText('Pratinjau bukti pembayaran');
    expect(dialog.queryByRole('radio')).toBeNull();
    expect(dialog.queryByLabelText(/Tanggal Pembayaran/)).toBeNull();
    await save(user);
    await screen.findByText('Bukti pembayaran tersimpan: PBB 2026 · Jl. Melati 1');
    expect(server.callsOf(UPLOAD).map(({ body }) => body)).toEqual([{ payment_proof: photo }]);
    expect(sent()).toEqual([]);
  });

  it('says from the first moment how much of the photo is sent', async () => {
    server.on(EDIT, () => new Promise(() => {}));
    const { user } = open();
    const dialog = await choosePhoto(user);
    await dialog.findByAltText('Pratinjau bukti pembayaran');
    await sayPaid(user, dialog);
    await save(user);
    await dialog.findByRole('progressbar', { name: 'Mengunggah foto' });
    expect(dialog.getByRole('button', { name: 'Menyimpan...' })).toBeTruthy();
  });

  it('says what is stored after a conflict, and saves what was chosen over it', async () => {
    server.on(EDIT, failAnswer(409, 'Data telah diubah oleh pengguna lain. Muat ulang lalu coba lagi.'));
    const { user } = open();
    const dialog = await pressMarkPaid(user);
    await user.click(dialog.getByRole('button', { name: 'Hari ini' }));
    stored = { ...stored, status: 'proses', updated_at: '2026-01-01T00:00:00.000Z' };
    await save(user);
    await screen.findByText('Data ini baru saja diubah dari tempat lain.');
    expect(screen.getByText('Yang tersimpan sekarang: Proses. Periksa, lalu simpan lagi.')).toBeTruthy();
    storeEdits();
    await save(user);
    await screen.findByText(/^Ditandai Lunas/);
    expect(sent()[1]).toMatchObject({ status: 'lunas', updated_at: '2026-01-01T00:00:00.000Z' });
  });

  it.each([
    ['the connection fails', networkError, /^Tidak dapat terhubung ke server/],
    ['the proofs have no room', failAnswer(422, 'penuh', { payment_proof: ['Ruang foto bukti Anda penuh'] }), /penuh$/],
  ] as const)('keeps the photo when %s', async (_case, answer, text) => {
    server.on(EDIT, answer);
    const { user } = open();
    const dialog = await choosePhoto(user);
    await dialog.findByAltText('Pratinjau bukti pembayaran');
    await sayPaid(user, dialog);
    await save(user);
    await dialog.findByText(text);
    expect(dialog.getByAltText('Pratinjau bukti pembayaran')).toBeTruthy();
    storeEdits();
    await save(user);
    await screen.findByText(/^Ditandai Lunas/);
    expect(sent()[1]).toMatchObject({ payment_proof: photo });
  });

  it('says before sending that the quota has no room for the photo', async () => {
    server.on(QUOTA, okAnswer({ records: 1, records_max: null, proof_bytes: 5, proof_bytes_max: 5 }));
    const { user } = open();
    const dialog = await pressMarkPaid(user);
    expect(await dialog.findByText(/^Ruang foto bukti Anda penuh/)).toBeTruthy();
  });

  it('asks for the date that is missing, and returns the focus when it is cancelled', async () => {
    const { user } = open();
    const dialog = await pressMarkPaid(user);
    await save(user);
    await dialog.findByText('Tanggal pembayaran wajib diisi jika status Lunas');
    await user.click(dialog.getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Tandai lunas'));
    expect(sent()).toEqual([]);
  });

  it('takes no payment date after today', async () => {
    const { user } = open();
    const dialog = await pressMarkPaid(user);
    const date = dialog.getByRole('textbox', { name: /Tanggal Pembayaran/ });
    fireEvent.input(date, { target: { value: '28/11/2099' } });
    await dialog.findByText('Tanggal pembayaran tidak boleh setelah hari ini');
    await save(user);
    expect(dialog.getByText('Tanggal pembayaran tidak boleh setelah hari ini')).toBeTruthy();
    expect(sent()).toEqual([]);
  });

  it('invites to replace a photo only after the office refused it', async () => {
    const check = { at: '2026-01-02T00:00:00.000Z', by_name: null, reason: null };
    stored = { ...stored, status: 'proses', payment_proof: PROOF, verification: { ...check, state: 'pending' } };
    const view = open();
    const replace = () => screen.findByRole('button', { name: 'Ganti bukti pembayaran' });
    expect((await replace()).dataset['variant']).toBe('default');
    view.unmount();
    stored = { ...stored, verification: { ...check, state: 'rejected', reason: 'Buram' } };
    open();
    expect((await replace()).dataset['variant']).toBe('filled');
  });

  it('offers nothing to report on a paid record with a proof', async () => {
    stored = { ...stored, status: 'lunas', payment_proof: PROOF };
    open();
    await screen.findByAltText('Bukti pembayaran');
    expect(screen.queryByRole('button', { name: /Tandai lunas|bukti pembayaran$/ })).toBeNull();
  });
});
