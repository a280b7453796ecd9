import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { today } from '#client/lib/format.ts';
import { currentSession } from '#client/lib/session/session.ts';
import { OwnRecordCreatePage } from './form-pages.tsx';
import { buildRecord } from '#client/testing/build-record.ts';
import { selectOption, textField, fillFields, pickPhoto, requiredFields } from '#client/testing/fill-form.ts';

const CREATE = 'POST /api/tax-records';
const DONE = 'Data PBB berhasil ditambahkan!';

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(CREATE, okAnswer(buildRecord()));
});

const open = () => renderPage(<OwnRecordCreatePage />, { path: '/tax-records/create' });
const save = () => fireEvent.click(screen.getByRole('button', { name: /Simpan|Menyimpan/ }));
const sent = () => server.callsOf(CREATE).map(({ body }) => body);

it('says where the number stands on the paper, and takes any text', async () => {
  open();
  const field = textField('Nomor SPT');
  const ids = field.getAttribute('aria-describedby')?.split(' ') ?? [];
  const texts = ids.map((id) => document.getElementById(id)?.textContent);
  expect(texts).toEqual(['NOP, 18 angka, di bagian atas SPPT']);
  expect(textField('Nomor SPT').placeholder).toBe('contoh: 32.04.050.001.012-0034.0');
  fillFields({ ...requiredFields, 'Nomor SPT': 'nomor lama 7' });
  save();
  await screen.findByText(DONE);
  expect(sent()).toMatchObject([{ spt_number: 'nomor lama 7' }]);
});

describe('OwnRecordCreatePage: quota', () => {
  const MB = 1_048_576;
  const onQuota = (use: object) =>
    server.on(
      'GET /api/tax-records/quota',
      okAnswer({ records: 1, records_max: 500, proof_bytes: 0, proof_bytes_max: 300 * MB, ...use }),
    );
  const FULL = 'Ruang foto bukti Anda penuh (300 MB). Hapus foto lama atau hubungi administrator.';

  it('says that there is no room for photos before one is chosen, and still sends what was filled in', async () => {
    onQuota({ proof_bytes: 300 * MB });
    open();
    expect((await screen.findByText(FULL)).getAttribute('role')).toBe('alert');
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    expect(sent()).toHaveLength(1);
  });

  it('says that the chosen photo is larger than the room that is left', async () => {
    onQuota({ proof_bytes: 300 * MB - 4 });
    open();
    await waitFor(() => expect(server.callsOf('GET /api/tax-records/quota')).toHaveLength(1));
    pickPhoto();
    expect(await screen.findByText(/^Sisa ruang foto bukti Anda 0 MB, foto ini 0,1 MB\. Hapus foto lama/)).toBeTruthy();
  });

  it('says that there are too many records before anything is typed', async () => {
    onQuota({ records: 500 });
    open();
    const text =
      'Jumlah data PBB Anda sudah mencapai batas (500 data). Hapus data yang tidak dipakai atau hubungi administrator.';
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.queryByText(FULL)).toBeNull();
  });

  it('keeps everything that was typed when the server refuses the photo, and marks the photo', async () => {
    onQuota({});
    server.on(CREATE, failAnswer(422, FULL, { payment_proof: [FULL] }));
    open();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByRole('img', { name: 'Pratinjau bukti pembayaran' });
    save();
    await screen.findByText(`Error: ${FULL}`);
    expect(screen.getByText(FULL)).toBeTruthy();
    expect(textField('Alamat').value).toBe('Jl. Melati 1');
    expect(screen.getByRole('img', { name: 'Pratinjau bukti pembayaran' })).toBeTruthy();
  });
});

describe('OwnRecordCreatePage: form', () => {
  it('starts with the read-only tax type PBB and year 2025, and unpaid', () => {
    open();
    expect(textField('Jenis Pajak').value).toBe('PBB');
    expect(textField('Jenis Pajak').readOnly).toBe(true);
    expect(textField('Tahun').value).toBe('2025');
    expect(textField('Tahun').readOnly).toBe(true);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' }).value).toBe('belum_lunas');
  });

  const thisYear = Number(today().slice(0, 4));
  const openYears = (...user_years: number[]) => server.on('GET /api/office', okAnswer({ open: true, user_years }));

  it('says what to do about the SPPT of this year while only an earlier year is open', async () => {
    openYears(2025);
    open();
    expect(
      await screen.findByText(`SPPT tahun ${thisYear}: minta kantor membuka tahun ${thisYear} lewat chat.`),
    ).toBeTruthy();
    expect(textField('Tahun').readOnly).toBe(true);
  });

  it('shows the one open year read-only and sends it', async () => {
    openYears(thisYear);
    server.on(CREATE, okAnswer(buildRecord({ year: thisYear })));
    open();
    await waitFor(() => expect(textField('Tahun').value).toBe(String(thisYear)));
    expect(textField('Tahun').readOnly).toBe(true);
    expect(screen.queryByText(/minta kantor/)).toBeNull();
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ year: thisYear });
  });

  it('offers several open years, the newest first and this one chosen', async () => {
    openYears(thisYear + 1, thisYear, thisYear - 1);
    server.on(CREATE, okAnswer(buildRecord({ year: thisYear - 1 })));
    open();
    const year = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Tahun' });
    expect([...year.options].map(({ value }) => Number(value))).toEqual([thisYear + 1, thisYear, thisYear - 1]);
    expect(year.value).toBe(String(thisYear));
    selectOption('Tahun', String(thisYear - 1));
    fillFields({ ...requiredFields, 'Tanggal Jatuh Tempo': `30/9/${thisYear}` });
    const hint = `Bila pada SPPT tertulis tahun ${thisYear}, pilih Tahun ${thisYear} di atas.`;
    expect((await screen.findByText(/^Jatuh tempo/)).textContent).toContain(hint);
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ year: thisYear - 1 });
  });

  it('says under which year the record was stored when the chosen one was closed meanwhile', async () => {
    openYears(thisYear, 2025);
    server.on(CREATE, okAnswer(buildRecord({ year: 2025 })));
    open();
    await screen.findByRole('combobox', { name: 'Tahun' });
    fillFields(requiredFields);
    save();
    expect(await screen.findByText('Data disimpan sebagai tahun pajak 2025.')).toBeTruthy();
  });

  it('starts with the name of the account, which can be changed', async () => {
    signIn({ name: 'Budi Santoso' });
    open();
    expect(textField('Nama').value).toBe('Budi Santoso');
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ name: 'Siti Aminah' });
  });

  it('says that the due date is in another year than the tax, and saves it all the same', async () => {
    const text =
      'Jatuh tempo 2026, tetapi tahun pajak 2025. Bila pada SPPT tertulis tahun 2026, jangan disimpan dulu: minta kantor membuka tahun 2026 lewat chat.';
    open();
    fillFields({ ...requiredFields, 'Tanggal Jatuh Tempo': '30/9/2025' });
    expect(screen.queryByText(/^Jatuh tempo \d/)).toBeNull();
    fillFields({ 'Tanggal Jatuh Tempo': '30/9/2026' });
    expect(await screen.findByText(text)).toBeTruthy();
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ due_date: '2026-09-30', year: 2025 });
  });

  it('sends JSON with the amount as a number and the dates as yyyy-mm-dd', async () => {
    open();
    fillFields({ ...requiredFields, 'Tanggal Jatuh Tempo': '30/9/2025', Deskripsi: 'Rumah tinggal' });
    selectOption('Jenis Properti', 'rumah_tinggal');
    expect(textField('Jumlah').value).toBe('1.500.000');
    save();
    await screen.findByText(DONE);
    expect(sent()).toEqual([
      {
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        property_type: 'rumah_tinggal',
        spt_number: 'SPT-1',
        amount: 1_500_000,
        status: 'belum_lunas',
        due_date: '2025-09-30',
        payment_date: null,
        description: 'Rumah tinggal',
        notes: null,
        tax_type: 'PBB',
        year: 2025,
      },
    ]);
  });

  it('sends a form without empty fields when there is a photo', async () => {
    open();
    fillFields(requiredFields);
    const file = pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    save();
    await screen.findByText(DONE);
    expect(sent()).toEqual([
      {
        name: 'Siti Aminah',
        address: 'Jl. Melati 1',
        spt_number: 'SPT-1',
        amount: '1500000',
        status: 'belum_lunas',
        tax_type: 'PBB',
        year: '2025',
        payment_proof: file,
      },
    ]);
  });

  it('sends no photo after it was removed', async () => {
    open();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    fireEvent.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).not.toHaveProperty('payment_proof');
  });

  it('sends a payment date only with status lunas', async () => {
    open();
    fillFields(requiredFields);
    expect(screen.queryByRole('textbox', { name: 'Tanggal Pembayaran' })).toBeNull();
    selectOption('Status', 'lunas');
    // Only a person knows the day (R-CHECK-40).
    expect(textField('Tanggal Pembayaran').value).toBe('');
    expect(screen.getByText('Tanggal pada STTS')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Hari ini' }));
    expect(textField('Tanggal Pembayaran').value).toBe(today().split('-').toReversed().join('/'));
    fillFields({ 'Tanggal Pembayaran': '17/08/2099' });
    await screen.findByText(/^Tanggal ini setelah hari ini/);
    fillFields({ 'Tanggal Pembayaran': '17/08/2025' });
    expect(screen.queryByText(/^Tanggal ini setelah hari ini/)).toBeNull();
    selectOption('Status', 'proses');
    expect(screen.queryByRole('textbox', { name: 'Tanggal Pembayaran' })).toBeNull();
    selectOption('Status', 'lunas');
    await waitFor(() => expect(textField('Tanggal Pembayaran').value).toBe('17/08/2025'));
    selectOption('Status', 'proses');
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ status: 'proses', payment_date: null });
  });

  it('saves nothing while a date does not exist, and shows a message', async () => {
    open();
    fillFields({ ...requiredFields, 'Tanggal Jatuh Tempo': '31/02/2025' });
    fireEvent.blur(textField('Tanggal Jatuh Tempo'));
    await screen.findByText('Tanggal ini tidak ada. Tulis seperti 31/12/2025.');
    save();
    expect(document.activeElement).toBe(textField('Tanggal Jatuh Tempo'));
    expect(sent()).toHaveLength(0);
    fillFields({ 'Tanggal Jatuh Tempo': '' });
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ due_date: null });
  });

  it('returns to the list after 1.5 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { router } = open();
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(router.state.location.pathname).toBe('/tax-records/create');
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
  });
});

describe('OwnRecordCreatePage: validation', () => {
  it('marks each missing field, focuses the first and sends nothing', async () => {
    open();
    fillFields({ Nama: '' });
    save();
    for (const text of ['Nama wajib diisi', 'Alamat wajib diisi', 'Nomor SPT wajib diisi', 'Jumlah wajib diisi']) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    await waitFor(() => expect(document.activeElement).toBe(textField('Nama')));
    expect(sent()).toEqual([]);
  });

  it('accepts an amount of 0', async () => {
    open();
    fillFields({ ...requiredFields, Jumlah: '0' });
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ amount: 0 });
  });

  it('rejects an amount above the limit', () => {
    open();
    fillFields({ ...requiredFields, Jumlah: '1000000000000' });
    save();
    expect(screen.getByText('Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal')).toBeTruthy();
  });
});

describe('OwnRecordCreatePage: save', () => {
  it('sends one call however often the button is pressed, and shows Menyimpan...', async () => {
    server.on(CREATE, neverAnswer);
    open();
    fillFields(requiredFields);
    save();
    save();
    await screen.findByText('Menyimpan...');
    save();
    expect(server.callsOf(CREATE)).toHaveLength(1);
  });

  it('sends nothing again between the success and the redirect', async () => {
    open();
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    save();
    expect(server.callsOf(CREATE)).toHaveLength(1);
  });

  it.each([
    ['the server sends a message', failAnswer(500, 'Server sedang sibuk'), 'Error: Server sedang sibuk'],
    ['the server sends no message', failAnswer(500), 'Gagal menambahkan data PBB'],
    ['no answer arrives', networkError, 'Terjadi kesalahan saat menambahkan data PBB'],
  ])('keeps the typed input when saving fails and %s', async (_case, answer, text) => {
    server.on(CREATE, answer);
    open();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    save();
    await screen.findByText(text);
    expect(textField('Nama').value).toBe('Siti Aminah');
    expect(textField('Jumlah').value).toBe('1.500.000');
    expect(screen.getByAltText('Pratinjau bukti pembayaran')).toBeTruthy();
    server.on(CREATE, okAnswer(buildRecord()));
    save();
    await screen.findByText(DONE);
  });

  it('shows the errors of the server at their fields', async () => {
    server.on(CREATE, failAnswer(422, 'Nomor SPT sudah ada', { spt_number: ['Nomor SPT sudah ada'] }));
    open();
    fillFields(requiredFields);
    save();
    await screen.findByText('Nomor SPT sudah ada');
    await waitFor(() => expect(document.activeElement).toBe(textField('Nomor SPT')));
  });

  it('shows a refused photo at its field', async () => {
    server.on(CREATE, failAnswer(413, 'Ukuran file maksimal 5MB'));
    open();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    save();
    await screen.findByText('Ukuran file maksimal 5MB');
    expect(screen.getByLabelText('Foto bukti pembayaran').getAttribute('aria-invalid')).toBe('true');
  });
});

describe('OwnRecordCreatePage: unsaved changes', () => {
  it('asks before it leaves a page with unsaved changes', async () => {
    const { user, router } = open();
    fillFields({ Nama: 'Siti' });
    await user.click(screen.getByRole('link', { name: 'Batal (Cancel)' }));
    await screen.findByText('Perubahan belum disimpan');
    await user.click(screen.getByRole('button', { name: 'Tetap di sini' }));
    expect(router.state.location.pathname).toBe('/tax-records/create');
    expect(textField('Nama').value).toBe('Siti');
  });

  it('does not ask without unsaved changes', async () => {
    const { user } = open();
    await user.click(screen.getByRole('link', { name: 'Kembali (Back)' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
  });
});

describe('OwnRecordCreatePage: session end while saving', () => {
  const ENDED = failAnswer(401, 'Sesi Anda telah berakhir. Silakan login kembali.');
  const restored = () => screen.queryByText(/sebelum sesi berakhir sudah dipulihkan/);

  async function endWhileSaving() {
    const { unmount } = open();
    fillFields({ ...requiredFields, Deskripsi: 'Rumah tinggal' });
    server.on(CREATE, ENDED);
    save();
    await waitFor(() => expect(currentSession()).toBeNull());
    unmount();
  }

  it('restores the typed input after the same user signs in again', async () => {
    await endWhileSaving();
    signIn();
    open();
    expect(restored()).not.toBeNull();
    expect(textField('Nama').value).toBe('Siti Aminah');
    expect(textField('Jumlah').value).toBe('1.500.000');
    server.on(CREATE, okAnswer(buildRecord()));
    save();
    await screen.findByText(DONE);
    expect(sent().at(-1)).toMatchObject({ name: 'Siti Aminah', amount: 1_500_000, description: 'Rumah tinggal' });
  });

  it('does not restore the input for another user, and restores it only once', async () => {
    await endWhileSaving();
    signIn({ id: 'u2', email: 'lain@contoh.id' });
    const otherUser = open();
    expect(textField('Alamat').value).toBe('');
    expect(restored()).toBeNull();
    otherUser.unmount();
    signIn();
    const sameUser = open();
    expect(textField('Alamat').value).toBe('Jl. Melati 1');
    sameUser.unmount();
    open();
    expect(textField('Alamat').value).toBe('');
  });
});
