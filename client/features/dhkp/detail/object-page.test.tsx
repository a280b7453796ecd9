import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildAssessment, buildClaim } from '#client/testing/build-list.ts';
import { buildRecord } from '#client/testing/build-record.ts';
import { failAnswer, fakeServer, okAnswer, okListAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { Assessment } from '#shared/api/dhkp/assessments.ts';
import { DhkpObjectPage } from './object-page.tsx';

const OBJECT = '/api/admin/dhkp/ketetapan-34';

const stored = buildAssessment(34, { note: 'Rumah kosong', area: { id: 'a1', path: 'Krajan / RT 05' } });
const lastYear = buildAssessment(34, { id: 'lama', year: 2025, amount: 40_000 });

let server: ReturnType<typeof fakeServer>;
beforeEach(() => {
  signIn({ is_admin: true, name: 'Ratna' });
  server = fakeServer();
  server.on('GET /api/admin/areas', okAnswer([{ id: 'a1', path: 'Krajan / RT 05', name: '05', kind: 'rt' }]));
  server.on('GET /api/admin/users', okListAnswer([]));
  answer(stored);
});

const answer = (assessment: Assessment) =>
  server.on(`GET ${OBJECT}`, okAnswer({ ...assessment, history: [assessment, lastYear], claims: [] }));
const open = () => renderPage(<DhkpObjectPage />, { path: '/admin/dhkp/:id', at: '/admin/dhkp/ketetapan-34' });
const note = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Catatan' });
const saveButton = () => screen.getByRole('button', { name: 'Simpan (Save)' });

describe('DhkpObjectPage', () => {
  it('shows the assessment, the other years of the NOP, and where its area comes from', async () => {
    open();
    expect(await screen.findByRole('heading', { name: '35.15.180.012.000-0034.0' })).toBeTruthy();
    const link = screen.getByRole('link', { name: '2025' });
    expect(link.getAttribute('href')).toBe('/admin/dhkp/lama');
    expect(link.closest('li')?.textContent.replaceAll(/\s/g, ' ')).toContain('Rp 40.000');
    expect(screen.getByText('Dari berkas atau blok: Krajan / RT 05')).toBeTruthy();
  });

  it('saves what the office decides and nothing of the file', async () => {
    server.on(`PUT ${OBJECT}`, okAnswer({ ...stored, condition: 'wrong_name', updated_at: 'baru' }));
    open();
    await note();
    fireEvent.change(screen.getByRole('combobox', { name: 'Keadaan' }), { target: { value: 'wrong_name' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Penerima SPPT' }), { target: { value: 'Bu Siti' } });
    fireEvent.click(saveButton());
    expect(await screen.findByText('Objek berhasil disimpan')).toBeTruthy();
    expect(server.callsOf(`PUT ${OBJECT}`)[0]?.body).toEqual({
      condition: 'wrong_name',
      note: 'Rumah kosong',
      handed_out_on: null,
      handed_out_to: 'Bu Siti',
      area_id: null,
      collector_id: null,
      updated_at: stored.updated_at,
    });
  });

  it('loses nothing that was typed when another admin has saved meanwhile', async () => {
    server.on(`PUT ${OBJECT}`, failAnswer(409, 'Data ini sudah diubah'));
    open();
    fireEvent.change(await note(), { target: { value: 'Ditempati anaknya' } });
    const changed = { ...stored, note: 'Dijual', handed_out_to: 'Pak Budi', updated_at: '2026-03-03T00:00:00.000Z' };
    answer(changed);
    fireEvent.click(saveButton());
    const question = await screen.findByRole('radiogroup', { name: 'Catatan' });
    expect(
      within(question)
        .getByRole('radio', { name: /^Ditempati anaknya/ })
        .getAttribute('aria-checked'),
    ).toBe('true');
    expect((await note()).value).toBe('Ditempati anaknya');
    // Only the other admin changed this one.
    expect(screen.getByRole('textbox', { name: 'Penerima SPPT' })).toHaveProperty('value', 'Pak Budi');
    fireEvent.click(within(question).getByRole('radio', { name: /^Dijual/ }));
    expect((await note()).value).toBe('Dijual');

    server.on(`PUT ${OBJECT}`, okAnswer({ ...changed, updated_at: 'lebih baru' }));
    fireEvent.click(saveButton());
    expect(await screen.findByText('Objek berhasil disimpan')).toBeTruthy();
    expect(server.callsOf(`PUT ${OBJECT}`).at(-1)?.body).toMatchObject({
      note: 'Dijual',
      handed_out_to: 'Pak Budi',
      updated_at: changed.updated_at,
    });
  });

  it('shows a refusal that is no conflict and keeps the input', async () => {
    const refusal = 'Impor tahun ini sedang dibatalkan. Tunggu sebentar lalu coba lagi.';
    server.on(`PUT ${OBJECT}`, failAnswer(409, refusal));
    open();
    fireEvent.change(await note(), { target: { value: 'Baru' } });
    fireEvent.click(saveButton());
    expect(await screen.findByText(refusal)).toBeTruthy();
    expect((await note()).value).toBe('Baru');
  });

  it('links the object to an account, with the values of the office that were chosen', async () => {
    const siti = { id: 'u2', name: 'Siti', email: 'siti@contoh.id' };
    server.on('GET /api/admin/users', okListAnswer([siti]));
    const record = { spt_number: stored.nop_text, year: 2026, amount_source: 'typed' } as const;
    const typed = buildRecord({ ...record, amount: 40_000, address: 'Jl. Melati 34', due_date: null });
    server.on('GET /api/admin/tax-records', okListAnswer([typed]));
    server.on(`POST ${OBJECT}/link`, failAnswer(409, 'Objek ini sudah terhubung dengan Joko'));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Hubungkan' }));
    expect(screen.getByText('Pilih user terlebih dahulu')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: 'Hubungkan dengan akun' }));
    await user.click(await screen.findByRole('option', { name: /Siti/ }));
    const amount = await screen.findByRole('checkbox', { name: 'Jumlah' });
    expect(screen.queryByRole('checkbox', { name: 'Alamat' })).toBeNull();
    expect(screen.queryByRole('checkbox', { name: 'Tanggal Jatuh Tempo' })).toBeNull();
    await user.click(amount);
    await user.click(screen.getByRole('button', { name: 'Hubungkan' }));
    expect(await screen.findByText('Objek ini sudah terhubung dengan Joko')).toBeTruthy();
    expect(server.callsOf(`POST ${OBJECT}/link`)[0]?.body).toEqual({ user_id: 'u2', overwrite: ['amount'] });
    expect(amount).toHaveProperty('checked', true);
    server.on(`POST ${OBJECT}/link`, okAnswer(stored));
    answer({ ...stored, account: siti, record_id: 'data-1' });
    await user.click(screen.getByRole('button', { name: 'Hubungkan' }));
    const link = await screen.findByRole('link', { name: 'Data PBB 2026' });
    expect(link.getAttribute('href')).toBe('/admin/tax-records/data-1');
  });

  it('removes a link after a question which says that the records stay', async () => {
    answer({ ...stored, account: { id: 'u2', name: 'Siti' } });
    server.on(`DELETE ${OBJECT}/link`, okAnswer(stored));
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Putuskan hubungan' }));
    const question = within(await screen.findByRole('dialog', { name: 'Putuskan hubungan' }));
    expect(question.getByText(/Data PBB yang sudah ada tetap pada akunnya\./)).toBeTruthy();
    answer(stored);
    await user.click(question.getByRole('button', { name: 'Putuskan hubungan' }));
    expect(await screen.findByRole('combobox', { name: 'Hubungkan dengan akun' })).toBeTruthy();
    expect(server.callsOf(`DELETE ${OBJECT}/link`)).toHaveLength(1);
  });

  it('lists the requests of users for the object with their answers', async () => {
    const waiting = buildClaim(34, { note: 'Milik ayah saya' });
    const claims = [waiting, { ...waiting, id: 'lama', state: 'rejected', reason: 'NOP salah', answered_by: 'Sari' }];
    server.on(`GET ${OBJECT}`, okAnswer({ ...stored, history: [stored], claims }));
    open();
    const link = await screen.findByRole('link', { name: 'Menunggu jawaban' });
    expect(link.getAttribute('href')).toBe('/admin/dhkp/claims');
    expect(screen.getByText('Ditolak: NOP salah')).toBeTruthy();
  });

  it('says that an object does not exist', async () => {
    server.on(`GET ${OBJECT}`, failAnswer(404, 'Objek tidak ditemukan'));
    open();
    await waitFor(() => expect(screen.getByText('Objek tidak ditemukan')).toBeTruthy());
    expect(screen.getByRole('link', { name: 'Buka daftar objek' })).toBeTruthy();
  });
});
