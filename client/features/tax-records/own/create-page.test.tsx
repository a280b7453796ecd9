import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, neverAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { currentSession } from '#client/lib/session.ts';
import { OwnRecordCreatePage } from './create-page.tsx';
import { buildRecord } from '#client/testing/build-record.ts';
import { selectOption, textField, fillFields, pickPhoto, requiredFields } from '#client/testing/fill-form.ts';

const CREATE = 'POST /api/tax-records';
const DONE = 'Data PBB berhasil ditambahkan!';

// Whole forms and lists are drawn again and again; on a busy machine that takes its time.
vi.setConfig({ testTimeout: 20_000 });

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn();
  server = fakeServer();
  server.on(CREATE, okAnswer(buildRecord()));
});

const open = () => renderPage(<OwnRecordCreatePage />, { path: '/tax-records/create' });
const save = () => fireEvent.click(screen.getByRole('button', { name: /Simpan|Menyimpan/ }));
const sent = () => server.callsOf(CREATE).map(({ body }) => body);

describe('a new record', () => {
  it('is of type PBB and year 2025, which cannot be changed, and begins unpaid', () => {
    open();
    expect(textField('Jenis Pajak').value).toBe('PBB');
    expect(textField('Jenis Pajak').readOnly).toBe(true);
    expect(textField('Tahun').value).toBe('2025');
    expect(textField('Tahun').readOnly).toBe(true);
    expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Status' }).value).toBe('belum_lunas');
  });

  it('is sent as JSON with the amount as a number and the dates as calendar dates', async () => {
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

  it('is sent as a form with a photo, without what is empty', async () => {
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

  it('has no photo any more once it is removed', async () => {
    open();
    fillFields(requiredFields);
    pickPhoto();
    await screen.findByAltText('Pratinjau bukti pembayaran');
    fireEvent.click(screen.getByRole('button', { name: 'Hapus foto (Remove)' }));
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).not.toHaveProperty('payment_proof');
  });

  it('has a payment date only when it is paid', async () => {
    open();
    fillFields(requiredFields);
    expect(textField('Tanggal Pembayaran').disabled).toBe(true);
    expect(screen.getByText('Tanggal pembayaran hanya bisa diisi jika status Lunas')).toBeTruthy();
    selectOption('Status', 'lunas');
    fillFields({ 'Tanggal Pembayaran': '17/08/2025' });
    selectOption('Status', 'proses');
    expect(textField('Tanggal Pembayaran').value).toBe('');
    selectOption('Status', 'lunas');
    await waitFor(() => expect(textField('Tanggal Pembayaran').value).toBe('17/08/2025'));
    selectOption('Status', 'proses');
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ status: 'proses', payment_date: null });
  });

  it('takes a date that does not exist for none, and says so', async () => {
    open();
    fillFields({ ...requiredFields, 'Tanggal Jatuh Tempo': '31/02/2025' });
    fireEvent.blur(textField('Tanggal Jatuh Tempo'));
    await screen.findByText('Tanggal ini tidak ada. Tulis seperti 31/12/2025.');
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ due_date: null });
  });

  it('leads back to the list after 1.5 seconds', async () => {
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

describe('what is missing', () => {
  it('is named at each field, the first gets the focus, and nothing is sent', async () => {
    open();
    save();
    for (const text of ['Nama wajib diisi', 'Alamat wajib diisi', 'Nomor SPT wajib diisi', 'Jumlah wajib diisi']) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    await waitFor(() => expect(document.activeElement).toBe(textField('Nama')));
    expect(server.calls).toEqual([]);
  });

  it('is only what is missing: an amount of 0 may be saved', async () => {
    open();
    fillFields({ ...requiredFields, Jumlah: '0' });
    save();
    await screen.findByText(DONE);
    expect(sent()[0]).toMatchObject({ amount: 0 });
  });

  it('names an amount beyond the limit', () => {
    open();
    fillFields({ ...requiredFields, Jumlah: '1000000000000' });
    save();
    expect(screen.getByText('Jumlah harus antara 0 dan 999.999.999.999 dengan paling banyak dua desimal')).toBeTruthy();
  });
});

describe('saving', () => {
  it('sends once however often the button is pressed, and says that it is busy', async () => {
    server.on(CREATE, neverAnswer);
    open();
    fillFields(requiredFields);
    save();
    save();
    await screen.findByText('Menyimpan...');
    save();
    expect(server.callsOf(CREATE)).toHaveLength(1);
  });

  it('is not repeated between the success and the way back', async () => {
    open();
    fillFields(requiredFields);
    save();
    await screen.findByText(DONE);
    save();
    expect(server.callsOf(CREATE)).toHaveLength(1);
  });

  it.each([
    ['the server says why', failAnswer(500, 'Server sedang sibuk'), 'Error: Server sedang sibuk'],
    ['the server does not say why', failAnswer(500), 'Gagal menambahkan data PBB'],
    ['no answer comes', networkError, 'Terjadi kesalahan saat menambahkan data PBB'],
  ])('keeps what was typed when it fails and %s', async (_when, answer, text) => {
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

  it("shows the server's faults at their fields", async () => {
    server.on(CREATE, failAnswer(422, 'Nomor SPT sudah ada', { spt_number: ['Nomor SPT sudah ada'] }));
    open();
    fillFields(requiredFields);
    save();
    await screen.findByText('Nomor SPT sudah ada');
    await waitFor(() => expect(document.activeElement).toBe(textField('Nomor SPT')));
  });

  it('shows at the photo that it was refused', async () => {
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

describe('leaving', () => {
  it('asks while something is typed and not saved', async () => {
    const { user, router } = open();
    fillFields({ Nama: 'Siti' });
    await user.click(screen.getByRole('link', { name: 'Batal (Cancel)' }));
    await screen.findByText('Perubahan belum disimpan');
    await user.click(screen.getByRole('button', { name: 'Tetap di sini' }));
    expect(router.state.location.pathname).toBe('/tax-records/create');
    expect(textField('Nama').value).toBe('Siti');
  });

  it('does not ask when nothing was typed', async () => {
    const { user } = open();
    await user.click(screen.getByRole('link', { name: 'Kembali (Back)' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
  });
});

describe('a session that ends while it is saved', () => {
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

  it('loses nothing that was typed: after the next sign-in it is there again', async () => {
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

  it('shows it to nobody else, and only once', async () => {
    await endWhileSaving();
    signIn({ id: 'u2', email: 'lain@contoh.id' });
    const other = open();
    expect(textField('Nama').value).toBe('');
    expect(restored()).toBeNull();
    other.unmount();
    signIn();
    const own = open();
    expect(textField('Nama').value).toBe('Siti Aminah');
    own.unmount();
    open();
    expect(textField('Nama').value).toBe('');
  });
});
