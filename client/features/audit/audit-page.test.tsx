import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { readXlsx } from 'hucre/xlsx';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { installFakeWorker } from '#client/exports/testing/fake-worker.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { AuditEntry } from '#shared/api/audit.ts';
import { AuditPage } from './audit-page.tsx';

const READ = 'GET /api/admin/audit';
let entryCount = 0;
function buildAuditEntry(fields: Partial<AuditEntry>): AuditEntry {
  entryCount += 1;
  return {
    id: String(entryCount),
    _id: String(entryCount),
    created_at: '2025-08-17T02:00:00.000Z',
    createdAt: '2025-08-17T02:00:00.000Z',
    action: 'record.updated',
    actor: { id: 'a1', name: 'Ratna Dewi', role: 'admin' },
    subject: { id: `s${entryCount}`, label: `Data ${entryCount}` },
    changes: [],
    ...fields,
  };
}

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  entryCount = 0;
  signIn({ is_admin: true });
  server = fakeServer();
  server.on('GET /api/admin/users', okListAnswer([]));
});
const open = (search = '') => renderPage(<AuditPage />, { path: '/admin/audit', at: `/admin/audit${search}` });

describe('the audit page', () => {
  it('says why nothing can be exported: it loads, it failed, or there is nothing', async () => {
    const reason = () => {
      const id = screen.getByRole('button', { name: 'Export Excel' }).getAttribute('aria-describedby');
      return id === null ? null : document.getElementById(id)?.textContent;
    };
    server.on(READ, failAnswer(500));
    const { user } = open();
    expect(reason()).toBe('Tunggu sampai riwayat selesai dimuat.');
    await screen.findByText('Gagal memuat riwayat perubahan');
    expect(reason()).toBe('Riwayat belum berhasil dimuat.');
    server.on(READ, okListAnswer([]));
    await user.click(screen.getByRole('button', { name: 'Coba lagi' }));
    await waitFor(() => expect(reason()).toBe('Belum ada yang dapat diekspor.'));
  });

  it('says of automatic copies that nobody added them', async () => {
    const copy = (name: string, created_at: string, subject: string) =>
      buildAuditEntry({
        action: 'record.created',
        actor: { id: 'u1', name, role: 'user' },
        subject: { id: subject, label: subject },
        created_at,
        changes: [
          { field: 'year', from: null, to: 2026 },
          { field: name === 'Otomatis' ? 'automatic_from_year' : 'copied_from_year', from: null, to: 2025 },
        ],
      });
    server.on(
      READ,
      okListAnswer([
        copy('Otomatis', '2026-01-03T02:00:00.000Z', 'SPT-1'),
        copy('Otomatis', '2026-01-02T02:00:00.000Z', 'SPT-2'),
        copy('Otomatis', '2026-01-02T02:00:00.000Z', 'SPT-3'),
        copy('Budi', '2026-01-01T02:00:00.000Z', 'SPT-4'),
      ]),
    );
    open();
    await screen.findByText('SPT-1');
    const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts[0]).toContain('Data PBB dibuat otomatis dari data tahun 2025 SPT-1');
    expect(texts[0]).not.toMatch(/Otomatis|Warga|menambahkan/);
    expect(texts[1]).toContain('2 data PBB dibuat otomatis dari data tahun 2025');
    expect(texts.at(-1)).toContain('Budi Warga menambahkan data PBB SPT-4');
  });

  it('shows actor and action of each entry, with links to subjects that still exist', async () => {
    server.on(
      READ,
      okListAnswer([
        buildAuditEntry({ changes: [{ field: 'due_date', from: null, to: '2025-09-30' }] }),
        buildAuditEntry({
          action: 'record.deleted',
          subject: { id: 'gone', label: 'SPT-9' },
          changes: [{ field: 'name', from: 'Siti', to: null }],
        }),
        buildAuditEntry({ subject: { id: 'gone', label: 'SPT-9 dulu' } }),
        buildAuditEntry({
          action: 'user.updated',
          subject: { id: 'u5', label: 'Budi (budi@contoh.id)' },
          changes: [{ field: 'is_active', from: true, to: false }],
        }),
        buildAuditEntry({
          action: 'record.checked',
          subject: { id: 's9', label: 'SPT-9' },
          changes: [
            { field: 'verification', from: 'pending', to: 'rejected' },
            { field: 'verification_reason', from: null, to: 'Foto buram' },
          ],
        }),
        buildAuditEntry({
          action: 'record.check_undone',
          subject: { id: 's9', label: 'SPT-9' },
          changes: [
            { field: 'status', from: 'lunas', to: 'proses' },
            { field: 'payment_date', from: '2025-08-03', to: null },
            { field: 'verification', from: 'matched', to: 'pending' },
          ],
        }),
        buildAuditEntry({ action: 'conversation.deleted', subject: { id: 'u6', label: 'Rina' } }),
        buildAuditEntry({ action: 'backup.started', subject: { id: 'backups', label: 'semua data' } }),
      ]),
    );
    open();
    const items = await screen.findAllByRole('listitem');
    const texts = items.map(({ textContent }) => textContent ?? '');
    expect(texts[0]).toContain('Ratna Dewi Admin mengubah data PBB Data 1');
    expect(texts[0]).toContain('Jatuh tempo dari (kosong) menjadi 30 Sep 2025');
    expect(texts[0]).toContain('17/08/2025 09.00');
    expect(texts[1]).toContain('menghapus data PBB SPT-9');
    expect(texts[3]).toContain('Akun aktif dari Ya menjadi Tidak');
    expect(texts[4]).toContain('mencocokkan laporan pembayaran SPT-9 Tidak cocok: Foto buram');
    expect(texts[5]).toContain('membatalkan pencocokan SPT-9 sebelumnya Cocok, kembali Proses');
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links.filter((href) => href === '/admin/users/a1')).toHaveLength(8);
    expect(links.filter((href) => href !== '/admin/users/a1')).toEqual([
      '/admin/tax-records/s1',
      '/admin/users/u5',
      '/admin/tax-records/s9',
      '/admin/tax-records/s9',
      '/admin/chat?user=u6',
      '/admin/settings',
    ]);
  });

  it('leads to the object of a link and to the answered requests', async () => {
    const subject = { id: 'k1', label: 'objek 35.15.180.012.001-0034.0' };
    const actions = ['dhkp.linked', 'dhkp.unlinked', 'claim.approved', 'claim.rejected'] as const;
    server.on(READ, okListAnswer(actions.map((action) => buildAuditEntry({ action, subject }))));
    open();
    const links = await screen.findAllByRole('link', { name: subject.label });
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/admin/dhkp/k1',
      '/admin/dhkp/k1',
      '/admin/dhkp/claims?tampil=disetujui',
      '/admin/dhkp/claims?tampil=ditolak',
    ]);
  });

  it('says whose note of what time was deleted, and leads to the conversation', async () => {
    server.on(
      READ,
      okListAnswer([
        buildAuditEntry({
          action: 'note.deleted',
          subject: { id: 'u6', label: 'Rina' },
          changes: [
            { field: 'note_author', from: 'Sari', to: null },
            { field: 'note_written_at', from: '2026-06-10T05:00:00.000Z', to: null },
          ],
        }),
      ]),
    );
    open();
    const text = (await screen.findByRole('listitem')).textContent;
    expect(text).toContain('Ratna Dewi Admin menghapus catatan internal tentang Rina');
    expect(text).toContain('Penulis catatanSari');
    expect(text).toContain('Ditulis10 Juni 2026 pukul 12.00');
    expect(screen.getByRole('link', { name: 'Rina' }).getAttribute('href')).toBe('/admin/chat?user=u6');
  });

  it('loads the filter of the URL and writes a chosen filter into it', async () => {
    server.on(READ, okAnswer({ data: [buildAuditEntry({})], total: 90, per_page: 50, current_page: 2, last_page: 3 }));
    const { router } = open('?cari=siti&tindakan=record.updated&halaman=2');
    await screen.findByText('Ratna Dewi');
    expect(server.callsOf(READ)[0]?.query).toEqual({
      search: 'siti',
      action: 'record.updated',
      page: '2',
      limit: '50',
    });
    fireEvent.change(screen.getByLabelText('Tindakan'), { target: { value: 'user.deleted' } });
    await waitFor(() => expect(router.state.location.search).toBe('?cari=siti&tindakan=user.deleted'));
    await waitFor(() =>
      expect(server.callsOf(READ).at(-1)?.query).toMatchObject({ action: 'user.deleted', page: '1' }),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Bersihkan filter (Clear)' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
  });

  it('filters by days, which stand in the URL, and ignores invalid ones there', async () => {
    server.on(READ, okListAnswer([buildAuditEntry({})]));
    const { router } = open('?dari=2025-08-01&sampai=2025-02-30');
    await screen.findByText('Ratna Dewi');
    expect(server.callsOf(READ)[0]?.query).toEqual({ from: '2025-08-01', page: '1', limit: '50' });
    fireEvent.change(screen.getByLabelText('Sampai tanggal'), { target: { value: '31/08/2025' } });
    fireEvent.blur(screen.getByLabelText('Sampai tanggal'));
    await waitFor(() => expect(router.state.location.search).toBe('?dari=2025-08-01&sampai=2025-08-31'));
    await waitFor(() => expect(server.callsOf(READ).at(-1)?.query).toMatchObject({ to: '2025-08-31' }));
  });

  it('chooses a common range of days by one press, and names it where nothing was found', async () => {
    server.on(READ, okListAnswer([]));
    const { user, router } = open();
    await screen.findByText('Belum ada perubahan yang tercatat.');
    await user.click(screen.getByRole('button', { name: 'Kemarin' }));
    const params = new URLSearchParams(router.state.location.search);
    expect(params.get('dari')).toBe(params.get('sampai'));
    expect(await screen.findByText(/^Tidak ada perubahan yang cocok pada \d+ \p{L}+ \d{4}\./u)).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Kemarin', pressed: true }));
    expect(router.state.location.search).toBe('');
  });

  it('shows the entries of one bulk as one line that opens', async () => {
    const changes = [{ field: 'status', from: 'proses', to: 'lunas' }];
    server.on(
      READ,
      okListAnswer([
        ...Array.from({ length: 25 }, () => buildAuditEntry({ changes })),
        // Another person, another change, another time.
        buildAuditEntry({ changes, actor: { id: 'a2', name: 'Dewi', role: 'admin' } }),
        buildAuditEntry({ changes: [{ field: 'notes', from: null, to: 'x' }] }),
        buildAuditEntry({ changes, created_at: '2025-08-17T01:00:00.000Z' }),
      ]),
    );
    open();
    await screen.findByText(/menandai 25 data lunas/);
    const bulk = screen.getByText('Tampilkan semua').closest('details');
    expect(bulk?.open).toBe(false);
    expect(within(bulk ?? document.body).getAllByText(/mengubah data PBB/)).toHaveLength(25);
    expect(screen.getAllByText('Tampilkan semua')).toHaveLength(1);
    expect(screen.getAllByText(/mengubah data PBB/)).toHaveLength(28);
  });

  it('says which way a factor or a card changed, and groups no such acts', async () => {
    const act = (field: string, to: boolean) => buildAuditEntry({ action, changes: [{ field, from: !to, to }] });
    const action = 'user.second_factor';
    server.on(
      READ,
      okListAnswer([
        act('second_factor', true),
        act('second_factor', false),
        act('setup_code', true),
        { ...act('card', true), action: 'user.card' },
        { ...act('card', false), action: 'user.card' },
      ]),
    );
    open();
    const lines = ['memasang', 'menghapus', 'membuat kode pemasangan', 'membuat kartu', 'mencabut kartu'];
    for (const line of lines) await screen.findByText(new RegExp(line));
    expect(screen.queryByText('Tampilkan semua')).toBeNull();
    expect(screen.queryByText(/undefined/)).toBeNull();
  });

  it('folds long changes behind the first ones', async () => {
    server.on(
      READ,
      okListAnswer([
        buildAuditEntry({
          changes: [
            { field: 'status', from: 'belum_lunas', to: 'lunas' },
            { field: 'notes', from: 'panjang '.repeat(20), to: null },
          ],
        }),
      ]),
    );
    open();
    const folded = (await screen.findByText('dan 1 perubahan lain')).closest('details');
    expect(folded?.textContent).toContain('panjang');
    expect(folded?.textContent).not.toContain('Belum Lunas');
    expect(screen.getByRole('listitem').textContent).toContain('Status dari Belum Lunas menjadi Lunas');
  });

  it('exports all pages of what is filtered to Excel', async () => {
    installFakeWorker();
    let file = new Blob();
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      file = blob as Blob;
      return 'blob:test';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    const [first, second] = [
      buildAuditEntry({ changes: [{ field: 'status', from: 'proses', to: 'lunas' }] }),
      buildAuditEntry({ action: 'user.created', subject: { id: 'u1', label: 'Budi' } }),
    ];
    server.on(READ, ({ query }) => {
      const data = query['page'] === '1' ? [first] : [first, second];
      return okAnswer({ data, total: 2, per_page: 1, current_page: 1, last_page: 2 });
    });
    open('?cari=siti');
    await screen.findByText('Ratna Dewi');
    fireEvent.click(screen.getByRole('button', { name: 'Export Excel' }));
    await screen.findByText('2 perubahan berhasil diekspor ke Excel');
    expect(server.callsOf(READ).at(-1)?.query).toEqual({ search: 'siti', page: '2', limit: '200' });
    const { sheets } = await readXlsx(await file.arrayBuffer());
    const rows = sheets[0]?.rows ?? [];
    expect(rows[2]?.[0]).toContain('Pencarian: siti · Jumlah perubahan: 2 · Dibuat oleh: ');
    expect(rows.slice(5)).toEqual([
      [
        new Date('2025-08-17T00:00:00Z'),
        '09.00',
        'Ratna Dewi',
        'Admin',
        'Data PBB diubah',
        'Data 1',
        'Status: Proses → Lunas',
      ],
      [new Date('2025-08-17T00:00:00Z'), '09.00', 'Ratna Dewi', 'Admin', 'Akun dibuat', 'Budi', ''],
    ]);
  });

  it('shows a text for an empty audit and an error when loading failed', async () => {
    server.on(READ, okListAnswer([]));
    const { unmount } = open();
    await screen.findByText('Tidak ada data');
    unmount();
    server.on(READ, failAnswer(500));
    open();
    await screen.findByText('Gagal memuat riwayat perubahan');
  });
});
