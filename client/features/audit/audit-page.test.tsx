import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
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

describe('the audit page', { timeout: 20_000 }, () => {
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
        buildAuditEntry({ action: 'conversation.deleted', subject: { id: 'u6', label: 'Rina' } }),
        buildAuditEntry({ action: 'backup.started', subject: { id: 'backups', label: 'semua data' } }),
      ]),
    );
    open();
    const items = await screen.findAllByRole('listitem');
    const texts = items.map(({ textContent }) => textContent ?? '');
    expect(texts[0]).toContain('Ratna Dewi Admin mengubah data pajak Data 1');
    expect(texts[0]).toContain('Jatuh tempodari (kosong) menjadi 30 September 2025');
    expect(texts[1]).toContain('menghapus data pajak SPT-9');
    expect(texts[3]).toContain('Akun aktifdari Ya menjadi Tidak');
    expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/admin/tax-records/s1',
      '/admin/users?edit=u5',
      '/admin/chat?user=u6',
      '/admin/settings',
    ]);
  });

  it('loads the filter of the URL and writes a chosen filter into it', async () => {
    server.on(READ, okAnswer({ data: [buildAuditEntry({})], total: 90, per_page: 30, current_page: 2, last_page: 3 }));
    const { router } = open('?cari=siti&tindakan=record.updated&halaman=2');
    await screen.findByText('Ratna Dewi');
    expect(server.callsOf(READ)[0]?.query).toEqual({
      search: 'siti',
      action: 'record.updated',
      page: '2',
      limit: '30',
    });
    fireEvent.click(screen.getByRole('button', { name: 'Ratna Dewi' }));
    await waitFor(() => expect(router.state.location.search).toBe('?cari=siti&tindakan=record.updated&orang=a1'));
    await waitFor(() => expect(server.callsOf(READ).at(-1)?.query).toMatchObject({ actor_id: 'a1', page: '1' }));
    fireEvent.click(screen.getByRole('button', { name: 'Bersihkan filter (Clear)' }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
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
