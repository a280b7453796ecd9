import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildRecord, recordId } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { RecordAudit } from '#client/features/audit/display/record-audit.tsx';
import { screenWidth } from '#client/testing/screen-width.ts';
import { AdminRecordDetail } from './detail-page.tsx';

const ID = recordId(5);
const READ = `GET /api/admin/tax-records/${ID}`;
const AUDIT = `GET /api/admin/tax-records/${ID}/history`;
const entry = {
  id: '1',
  _id: '1',
  created_at: '2025-08-17T02:00:00.000Z',
  createdAt: '2025-08-17T02:00:00.000Z',
  action: 'record.updated',
  actor: { id: 'a1', name: 'Ratna Dewi', role: 'admin' },
  subject: { id: ID, label: 'SPT-1 · 2025 · Siti' },
  changes: [
    { field: 'status', from: 'proses', to: 'lunas' },
    { field: 'amount', from: 1000, to: 2_500_000 },
  ],
};

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(READ, okAnswer(buildRecord({ id: ID, payment_proof: '/uploads/a.jpg?t=1' })));
  server.on(AUDIT, okListAnswer([entry]));
});

const page = <AdminRecordDetail renderAudit={(id) => <RecordAudit path="/admin/tax-records/{id}/history" id={id} />} />;
const open = (id = ID) => renderPage(page, { path: '/admin/tax-records/:id', at: `/admin/tax-records/${id}` });

describe('AdminRecordDetail', () => {
  it('shows the record with its owner, proof and audit', async () => {
    open();
    await screen.findByText('siti@contoh.id');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Detail Data Pajak');
    expect(screen.getAllByRole('heading', { level: 2 })[0]?.textContent).toBe('PBB 2025 · Jl. Melati 1');
    expect(document.title).toContain('PBB 2025 · Jl. Melati 1');
    expect(screen.getByText('Tidak ada deskripsi')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Semua datanya' }).getAttribute('href')).toBe(
      '/admin/tax-records?pemilik=u1',
    );
    const audit = screen.getByRole('region', { name: 'Riwayat perubahan' });
    await within(audit).findByText('Ratna Dewi');
    expect(audit.textContent).toContain('mengubah data PBB');
    expect(audit.textContent).toContain('dari Proses menjadi Lunas');
    expect(audit.textContent).toMatch(/dari Rp.1\.000 menjadi Rp.2\.500\.000/);
    fireEvent.error(screen.getByAltText('Bukti pembayaran'));
    expect(screen.getByText('Gambar tidak dapat ditampilkan')).toBeTruthy();
  });

  it.each([
    ['none', null],
    ['pending', 'Cocokkan'],
    ['outdated', 'Cocokkan'],
    ['matched', 'Lihat pencocokan'],
  ] as const)('leads a record whose check is %s to its photo with "%s"', async (state, name) => {
    const verification = { state, at: '2026-08-03T03:00:00.000Z', by_name: 'Sari', reason: null };
    server.on(READ, okAnswer(buildRecord({ id: ID, status: 'proses', verification })));
    open();
    await screen.findByText('siti@contoh.id');
    const link = screen.queryByRole('link', { name: /^(Cocokkan|Lihat pencocokan)$/ });
    expect(link?.textContent ?? null).toBe(name);
    if (name) expect(link?.getAttribute('href')).toBe(`/admin/tax-records/bukti-masuk?data=${ID}`);
  });

  it.each([
    ['pending', 'proses', ['Cocokkan', 'Tandai Lunas', 'Edit'], 'Cocokkan'],
    ['outdated', 'lunas', ['Cocokkan', 'Edit'], 'Cocokkan'],
    ['none', 'belum_lunas', ['Tandai Lunas', 'Edit'], 'Tandai Lunas'],
    ['outdated', 'belum_lunas', ['Tandai Lunas', 'Edit'], 'Tandai Lunas'],
    ['matched', 'lunas', ['Edit'], 'Edit'],
  ] as const)('fills only the next step of a record that is %s and %s', async (state, status, names, filled) => {
    const verification = { state, at: '2026-08-03T03:00:00.000Z', by_name: 'Sari', reason: null };
    server.on(READ, okAnswer(buildRecord({ id: ID, status, verification })));
    open();
    await screen.findByText('siti@contoh.id');
    const acts = within(screen.getByRole('banner')).getAllByText(/^(Cocokkan|Tandai Lunas|Edit)$/);
    expect(acts.map(({ textContent }) => textContent)).toEqual(names);
    const variants = acts.map((act) => act.closest('[data-variant]')?.getAttribute('data-variant'));
    expect(names.filter((_name, index) => variants[index] === 'filled')).toEqual([filled]);
  });

  it('keeps deletion in a menu on phones, and beside the heading on wide screens', async () => {
    const view = open();
    await screen.findByText('siti@contoh.id');
    expect(screen.queryByRole('button', { name: 'Hapus (Delete)' })).toBeNull();
    await view.user.click(screen.getByRole('button', { name: 'Aksi lain (More)' }));
    await view.user.click(await screen.findByRole('menuitem', { name: 'Hapus (Delete)' }));
    const question = await screen.findByRole('dialog', { name: /^Hapus Data/ });
    await view.user.click(within(question).getByRole('button', { name: 'Batal' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Aksi lain (More)' })));
    view.unmount();
    screenWidth.wide = true;
    open();
    await screen.findByText('siti@contoh.id');
    expect(screen.getByRole('button', { name: 'Hapus (Delete)' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Aksi lain (More)' })).toBeNull();
  });

  it('shows a way back and the audit when the record is missing', async () => {
    server.on(READ, failAnswer(404, 'Data pajak tidak ditemukan'));
    open();
    await screen.findByRole('heading', { name: 'Data Pajak Tidak Ditemukan' });
    expect(screen.getByRole('link', { name: 'Kembali ke daftar' }).getAttribute('href')).toBe('/admin/tax-records');
    await screen.findByText('Ratna Dewi');
  });

  it('sends no call for a text that cannot be an id', async () => {
    open('abc');
    await screen.findByRole('heading', { name: 'Data Pajak Tidak Ditemukan' });
    expect(server.calls).toEqual([]);
  });

  it('shows an error when the record cannot be loaded', async () => {
    server.on(READ, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat data pajak');
  });
});
