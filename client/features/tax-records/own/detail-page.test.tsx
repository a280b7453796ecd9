import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { showDate, today } from '#client/lib/format.ts';
import type { TaxRecord } from '#shared/api/tax-records/tax-records.ts';
import { VERIFICATION_STATES } from '#shared/domain/tax-records/verification-states.ts';
import { RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import {
  fieldsWhere,
  LONG_TEXT_FIELDS,
  type LongTextField,
  mapFields,
  TAX_RECORD_FIELDS,
  taxRecordFields,
} from '#shared/domain/tax-records/tax-record-fields.ts';
import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { OwnRecordDetail } from './detail-page.tsx';
import { buildRecord } from '#client/testing/build-record.ts';

const ID = '0196f1f0-0000-7000-8000-0000abcd1234';
const READ = `GET /api/tax-records/${ID}`;

const page = <OwnRecordDetail renderAudit={(id) => <RecordAudit path="/tax-records/{id}/history" id={id} />} />;

let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  signIn();
  server = fakeServer();
});

function open(fields: Partial<TaxRecord> = {}) {
  server.on(READ, okAnswer(buildRecord({ id: ID, ...fields })));
  return renderPage(page, { path: '/tax-records/:id', at: `/tax-records/${ID}` });
}

/** The text beside a label. */
async function findDetailValue(label: string): Promise<string | null | undefined> {
  const terms = await screen.findAllByText(label, { selector: 'dt' });
  return terms[0]?.nextElementSibling?.textContent;
}

it('shows its delete button at the foot, far from the others', async () => {
  open();
  const history = await screen.findByRole('button', { name: 'Riwayat perubahan' });
  const button = screen.getByRole('button', { name: 'Hapus (Delete)' });
  expect(history.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

/** The buttons and links of the page in the order in which a keyboard reaches them. */
const actNames = () =>
  [...document.querySelectorAll('button, a')].map((element) => element.textContent).filter((text) => text !== '');

it('offers on a phone to pay before anything else, while something is owed', async () => {
  const view = open();
  await screen.findByText('Rp 1.500.000');
  expect(actNames().slice(0, 5)).toEqual([
    'Kembali',
    'Unggah bukti pembayaran',
    'Tandai lunas',
    'Edit',
    'Tanyakan ke admin',
  ]);
  view.unmount();
  // A stored photo is exchanged where it is shown.
  const withProof = open({ payment_proof: '/uploads/a.jpg?t=1' });
  await screen.findByText('Rp 1.500.000');
  expect(actNames().slice(0, 3)).toEqual(['Kembali', 'Tandai lunas', 'Edit']);
  withProof.unmount();
  open({ status: 'lunas' });
  await screen.findByText('Rp 1.500.000');
  expect(actNames().slice(0, 3)).toEqual(['Kembali', 'Edit', 'Tanyakan ke admin']);
});

it('shows its buttons beside the heading on a wide screen', async () => {
  screenWidth.wide = true;
  open();
  await screen.findByText('Rp 1.500.000');
  expect(actNames().slice(0, 5)).toEqual(['Kembali', 'Edit', 'Tanyakan ke admin', 'Print Nota', 'Tandai lunas']);
});

it('says what the office found, and after a rejection why and what to do, for a paid record, too', async () => {
  const check = { at: '2026-08-03T03:00:00.000Z', by_name: 'Sari', reason: null };
  const view = open({ status: 'lunas', verification: { ...check, state: 'matched' } });
  expect(await findDetailValue('Pemeriksaan kantor')).toBe('Sudah diperiksa kantor · Sari · 3 Agu 2026');
  expect(screen.queryByRole('alert')).toBeNull();
  view.unmount();
  open({
    status: 'lunas',
    payment_proof: '/uploads/a.jpg?t=1',
    verification: { ...check, state: 'rejected', reason: 'Foto buram' },
  });
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('Ditolak kantor: Foto buram');
  expect(notice.textContent).toContain('“Ganti bukti pembayaran”');
  expect(screen.getByRole('button', { name: 'Ganti bukti pembayaran' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Tanyakan ke admin' })).toBeTruthy();
});

describe('OwnRecordDetail: change history', () => {
  const paid = [
    { field: 'status', from: 'belum_lunas', to: 'lunas' },
    { field: 'payment_date', from: null, to: '2025-08-17' },
  ];
  const notes = { field: 'notes', from: 'panjang '.repeat(20), to: 'lain' };

  async function openWith(changes: { field: string; from: string | null; to: string | null }[]) {
    const actor = { id: 'u1', name: 'Siti Aminah', role: 'user' };
    const subject = { type: 'tax_record', id: ID, label: 'Siti Aminah · SPT-1' };
    const entry = {
      id: 'e1',
      action: 'record.updated',
      actor,
      subject,
      changes,
      created_at: '2025-08-17T03:00:00.000Z',
    };
    server.on(`GET /api/tax-records/${ID}/history`, okListAnswer([entry]));
    open();
    fireEvent.click(await screen.findByRole('button', { name: 'Riwayat perubahan' }));
  }
  const findEntry = async () => (await screen.findByText(/mengubah data PBB/)).closest('li')?.textContent;

  it('shows three changes of an entry, however long they are', async () => {
    await openWith([...paid, notes]);
    expect(await findEntry()).toMatch(/Status dari Belum Lunas menjadi Lunas.*17 Agu 2025.*panjang.* menjadi lain/);
    expect(screen.queryByText(/perubahan lain/)).toBeNull();
  });

  it('folds what is long among four', async () => {
    await openWith([...paid, notes, { field: 'address', from: 'Jl. Melati 1', to: 'Jl. Melati 2' }]);
    expect((await screen.findByText(/^dan \d perubahan lain$/)).closest('details')?.textContent).toContain('panjang');
  });
});

describe('OwnRecordDetail: record', () => {
  it('shows all fields of the record', async () => {
    open({
      spt_number: 'SPT-5',
      due_date: '2025-09-30',
      payment_date: '2025-08-17',
      status: 'lunas',
      description: 'Rumah',
      notes: 'Catatan saya',
      property_type: 'toko',
    });
    expect(await findDetailValue('Nama')).toBe('Siti Aminah');
    expect(await findDetailValue('Alamat')).toBe('Jl. Melati 1');
    expect(await findDetailValue('Jenis Pajak')).toBe('PBB');
    expect(await findDetailValue('Jenis Properti')).toBe('Toko/Ruko');
    expect(await findDetailValue('Tahun')).toBe('2025');
    expect(await findDetailValue('Nomor SPT')).toBe('SPT-5');
    expect(await findDetailValue('Tanggal Jatuh Tempo')).toBe('30 September 2025');
    expect(await findDetailValue('Tanggal Pembayaran')).toBe('17 Agustus 2025');
    expect(await findDetailValue('Deskripsi')).toBe('Rumah');
    expect(await findDetailValue('Catatan')).toBe('Catatan saya');
    expect(await findDetailValue('Dibuat')).toBe('3 Februari 2025 pukul 11.05');
    expect(await findDetailValue('Diperbarui')).toBe('4 Maret 2025 pukul 12.06');
    expect(await findDetailValue('ID')).toBe('abcd1234');
    expect(screen.getByText('Rp 1.500.000')).toBeTruthy();
    expect(screen.getByText('Lunas')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).toBe(`/tax-records/${ID}/edit`);
    expect(screen.getByRole('link', { name: 'Kembali (Back)' }).getAttribute('href')).toBe('/tax-records');
  });

  it('shows each long text below its label', async () => {
    open(mapFields<Record<LongTextField, string>>(LONG_TEXT_FIELDS, (field) => `Isi ${field}`));
    for (const field of LONG_TEXT_FIELDS) {
      expect(await findDetailValue(taxRecordFields[field].label)).toBe(`Isi ${field}`);
    }
  });

  it('shows the label of each field, except amount, status and proof, which stand alone', async () => {
    open();
    const withoutLabel: readonly string[] = ['amount', 'status', ...fieldsWhere({ kind: 'image' })];
    for (const field of TAX_RECORD_FIELDS.filter((name) => !withoutLabel.includes(name))) {
      expect(await findDetailValue(taxRecordFields[field].label)).toBeTruthy();
    }
  });

  it('shows a text for each empty field', async () => {
    open();
    for (const field of LONG_TEXT_FIELDS) {
      const { label, emptyText } = taxRecordFields[field];
      expect(await findDetailValue(label)).toBe(emptyText);
    }
    expect(await findDetailValue('Deskripsi')).toBe('Tidak ada deskripsi');
    expect(await findDetailValue('Catatan')).toBe('Tidak ada catatan');
    expect(screen.getByText('Belum ada bukti pembayaran.')).toBeTruthy();
  });

  it('shows Tidak Diketahui for an unknown status', async () => {
    server.on(READ, okAnswer({ ...buildRecord({ id: ID }), status: 'aneh' }));
    renderPage(page, { path: '/tax-records/:id', at: `/tax-records/${ID}` });
    await screen.findByText('Tidak Diketahui');
  });

  it('names in the question what is deleted, with its proof, and focuses Batal', async () => {
    const { user } = open({ status: 'lunas', payment_proof: 'uploads/bukti.jpg' });
    await user.click(await screen.findByRole('button', { name: 'Hapus (Delete)' }));
    const dialog = await screen.findByRole('dialog', { name: 'Hapus Data PBB' });
    expect(dialog.textContent.replaceAll('\u00A0', ' ')).toContain('PBB 2025 · Jl. Melati 1 · Rp 1.500.000 · Lunas');
    within(dialog).getByText('Bukti pembayaran ikut terhapus dan tidak dapat dikembalikan.');
    expect(document.activeElement).toBe(within(dialog).getByRole('button', { name: 'Batal' }));
  });

  it('deletes the record after a question and returns to the list', async () => {
    const { user } = open();
    server.on(`DELETE /api/tax-records/${ID}`, okAnswer({}));
    await user.click(await screen.findByRole('button', { name: 'Hapus (Delete)' }));
    await screen.findByText('Apakah Anda yakin ingin menghapus data PBB ini?');
    await user.click(screen.getByRole('button', { name: 'Hapus' }));
    await screen.findByText('Data PBB berhasil dihapus');
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
    expect(server.callsOf(READ)).toHaveLength(1);
  });
});

describe('OwnRecordDetail: proof', () => {
  it('shows the proof and opens it in full size', async () => {
    const { user } = open({ payment_proof: 'uploads/bukti.jpg' });
    await user.click(await screen.findByRole('button', { name: /Lihat ukuran penuh/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bukti pembayaran' }));
    const address = `${window.location.origin}/uploads/bukti.jpg`;
    expect(dialog.getByAltText('Bukti pembayaran').getAttribute('src')).toBe(address);
    expect(dialog.getByRole('link', { name: /Buka di tab baru/ }).getAttribute('href')).toBe(address);
  });

  it('shows a text in place of a proof that cannot be loaded', async () => {
    open({ payment_proof: 'https://lain.example/bukti.jpg' });
    const image = await screen.findByAltText('Bukti pembayaran');
    expect(image.getAttribute('src')).toBe('https://lain.example/bukti.jpg');
    fireEvent.error(image);
    expect(screen.getByText('Gambar tidak dapat ditampilkan')).toBeTruthy();
    expect(screen.queryByAltText('Bukti pembayaran')).toBeNull();
  });
});

describe('OwnRecordDetail: failed loads', () => {
  it.each([
    ['does not exist', ID],
    ['has an invalid id', 'abc'],
  ])('shows a way back when the record %s', async (_case, id) => {
    server.on(READ, failAnswer(404, 'Data PBB tidak ditemukan'));
    const { user } = renderPage(page, { path: '/tax-records/:id', at: `/tax-records/${id}` });
    await screen.findByRole('heading', { name: 'Data PBB Tidak Ditemukan' });
    await user.click(screen.getByRole('link', { name: 'Kembali ke daftar' }));
    expect((await screen.findByTestId('elsewhere')).textContent).toBe('/tax-records');
  });

  it('shows an error when the record cannot be loaded, and loads it again', async () => {
    server.on(READ, failAnswer(500));
    const { user } = renderPage(page, { path: '/tax-records/:id', at: `/tax-records/${ID}` });
    await screen.findByText('Gagal memuat data PBB');
    server.on(READ, okAnswer(buildRecord({ id: ID })));
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    expect(await findDetailValue('Nama')).toBe('Siti Aminah');
  });
});

async function printReceipt(fields: Partial<TaxRecord>): Promise<HTMLElement> {
  const print = vi.spyOn(window, 'print').mockImplementation(() => {});
  const { user } = open(fields);
  await user.click(await screen.findByRole('button', { name: 'Print Nota' }));
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
  const receipt = screen.getByText('NOTA PBB').closest<HTMLElement>('.print-only');
  if (!receipt) throw new Error('no receipt');
  return receipt;
}

it('shows the receipt on a page that opens while it is printed', async () => {
  const matchMedia = window.matchMedia;
  const query = vi.spyOn(window, 'matchMedia');
  query.mockImplementation((text) => Object.assign(matchMedia(text), { matches: text === 'print' }));
  open({});
  expect(await screen.findByText('NOTA PBB')).toBeTruthy();
  query.mockRestore();
});

it('prints a receipt with its number, the amount in words and a signature', async () => {
  const receipt = within(await printReceipt({ amount: 1_250_000, status: 'belum_lunas' }));
  for (const text of ['No. cd1234', 'Bukan bukti setoran resmi', 'BELUM LUNAS', 'Wajib Pajak']) receipt.getByText(text);
  receipt.getByText('Satu juta dua ratus lima puluh ribu rupiah');
  receipt.getByText(`, ${showDate(today())}`);
});

describe('the receipt', () => {
  const stamps = {
    none: null,
    matched: null,
    pending: 'BELUM DIPERIKSA KANTOR',
    outdated: 'BELUM DIPERIKSA KANTOR',
    rejected: 'DITOLAK KANTOR',
  };
  const frames = { lunas: 'LUNAS', belum_lunas: 'BELUM LUNAS', proses: 'PROSES' };
  const cases = RECORD_STATUSES.flatMap((status) =>
    VERIFICATION_STATES.map((state) => [status, state, stamps[state] ?? frames[status]] as const),
  );

  it.each(cases)('of a record that is %s and whose check is %s says %s', async (status, state, stamp) => {
    const verification = { state, at: '2026-08-03T03:00:00.000Z', by_name: 'Sari', reason: null };
    const receipt = await printReceipt({
      status,
      payment_date: status === 'lunas' ? '2026-08-01' : null,
      verification,
    });
    within(receipt).getByText('Bukan bukti setoran resmi');
    within(receipt).getByText(stamp);
    const shown = [...Object.values(frames), 'BELUM DIPERIKSA KANTOR', 'DITOLAK KANTOR'].filter(
      (text) => within(receipt).queryByText(text) !== null,
    );
    expect(shown).toEqual([stamp]);
    const isConfirmed = stamp === 'LUNAS';
    expect(within(receipt).queryAllByText('Petugas')).toHaveLength(isConfirmed ? 1 : 0);
    // A paid status in the table is no claim of the office either.
    const claims = within(receipt).queryAllByRole('cell', { name: 'Lunas', hidden: true });
    expect(claims).toHaveLength(isConfirmed ? 1 : 0);
  });
});
