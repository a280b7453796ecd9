import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failAnswer, fakeServer, networkError, okAnswer, type Call } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { OfficeHours } from '#shared/api/office/office.ts';
import { OfficeHoursPage } from './office-hours-page.tsx';

const GET = 'GET /api/admin/office-hours';
const PUT = 'PUT /api/admin/office-hours';
const STATUS = 'GET /api/office';

const hours = (changes: Partial<OfficeHours> = {}): OfficeHours => ({
  days: [1, 2, 3, 4, 5, 6, 7].map((weekday) =>
    weekday < 6 ? { weekday, open: '08:00', close: '15:00' } : { weekday, open: null, close: null },
  ),
  holidays: [],
  closed_today: false,
  ...changes,
});
const status = { open: true, until: '2026-06-10T08:00:00.000Z', opens_at: null, median_ms: 240_000, ahead: null };
let server: ReturnType<typeof fakeServer>;

beforeEach(() => {
  // Wednesday noon in Jakarta.
  vi.setSystemTime('2026-06-10T05:00:00Z');
  signIn({ is_admin: true });
  server = fakeServer();
  server.on(GET, okAnswer(hours()));
  server.on(STATUS, okAnswer(status));
  // The server keeps what it is sent.
  server.on(PUT, (call: Call) => {
    server.on(GET, okAnswer(call.body));
    return okAnswer(call.body, 'Jam layanan berhasil disimpan');
  });
  return () => vi.useRealTimers();
});

async function openPage() {
  const view = renderPage(<OfficeHoursPage />);
  await screen.findByRole('switch', { name: 'Senin buka' });
  return view;
}
const savedBodies = (): OfficeHours[] => server.callsOf(PUT).map(({ body }) => body as OfficeHours);
const timeField = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const preview = (): HTMLElement =>
  within(screen.getByRole('region', { name: 'Yang dibaca warga' })).getByText(/Kantor|Perbaiki/);

describe('the hours of the week', () => {
  it('shows the stored ones with what residents read, and saves changed ones in one call', async () => {
    const { user } = await openPage();
    await waitFor(() => expect(preview().textContent).toBe('Kantor buka s.d. 15.00 · biasanya dibalas dalam 4 menit'));
    await user.clear(timeField('Rabu: jam tutup'));
    await user.type(timeField('Rabu: jam tutup'), '1130');
    await user.click(screen.getByRole('switch', { name: 'Sabtu buka' }));
    expect(timeField('Rabu: jam tutup').value).toBe('11.30');
    expect(preview().textContent).toBe('Kantor tutup. Buka Kamis 08.00. Pesan Anda tetap tersimpan.');
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    expect(await screen.findByText('Jam layanan berhasil disimpan')).toBeTruthy();
    expect(savedBodies()).toEqual([
      hours({
        days: hours().days.map((day) => {
          if (day.weekday === 3) return { weekday: 3, open: '08:00', close: '11:30' };
          return day.weekday === 6 ? { weekday: 6, open: '08:00', close: '15:00' } : day;
        }),
      }),
    ]);
    expect(screen.queryByText('Ada perubahan yang belum disimpan.')).toBeNull();
  });

  it('names the day that is wrong, focuses it and sends nothing', async () => {
    const { user } = await openPage();
    await user.clear(timeField('Selasa: jam buka'));
    await user.type(timeField('Selasa: jam buka'), '16.00');
    expect(await screen.findByText('Selasa: jam tutup harus setelah jam buka')).toBeTruthy();
    expect(preview().textContent).toBe('Perbaiki dulu jam yang ditandai di bawah.');
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    expect(document.activeElement).toBe(timeField('Selasa: jam buka'));
    await user.clear(timeField('Selasa: jam buka'));
    expect(await screen.findByText('Selasa: tulis jam seperti 08.00')).toBeTruthy();
    expect(savedBodies()).toEqual([]);
  });

  it('keeps what was typed when saving fails, and saves it at the next try', async () => {
    const { user } = await openPage();
    server.on(PUT, networkError);
    await user.clear(timeField('Senin: jam buka'));
    await user.type(timeField('Senin: jam buka'), '9');
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Tidak dapat terhubung ke server');
    expect(timeField('Senin: jam buka').value).toBe('09.00');
    server.on(PUT, failAnswer(422, 'Senin: jam tutup harus setelah jam buka'));
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    expect(await screen.findByText('Senin: jam tutup harus setelah jam buka')).toBeTruthy();
    expect(timeField('Senin: jam buka').value).toBe('09.00');
    server.on(PUT, (call: Call) => okAnswer(call.body));
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(savedBodies().at(-1)?.days[0]).toEqual({ weekday: 1, open: '09:00', close: '15:00' });
  });

  it('makes all open days like Monday', async () => {
    const { user } = await openPage();
    expect(screen.queryByRole('button', { name: /Samakan/ })).toBeNull();
    await user.clear(timeField('Senin: jam tutup'));
    await user.type(timeField('Senin: jam tutup'), '14');
    await user.click(screen.getByRole('button', { name: 'Samakan dengan Senin' }));
    expect(['Selasa', 'Jumat'].map((day) => timeField(`${day}: jam tutup`).value)).toEqual(['14.00', '14.00']);
    expect(screen.queryByRole('textbox', { name: 'Sabtu: jam tutup' })).toBeNull();
  });

  it('says that residents read nothing before hours were stored, and offers a usual week', async () => {
    server.on(
      GET,
      okAnswer(hours({ days: hours().days.map(({ weekday }) => ({ weekday, open: null, close: null })) })),
    );
    server.on(STATUS, okAnswer({ ...status, until: null, median_ms: null }));
    const { user } = await openPage();
    expect(await screen.findByText(/Jam layanan belum pernah disimpan/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Tutup lebih awal/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Isi Senin–Jumat 08.00–15.00' }));
    expect(preview().textContent).toBe('Kantor buka s.d. 15.00');
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    await waitFor(() => expect(savedBodies()).toEqual([hours()]));
  });

  it('shows a failed load, and loads again', async () => {
    server.on(GET, failAnswer(500, 'Terjadi kesalahan pada server'));
    const { user } = renderPage(<OfficeHoursPage />);
    expect(await screen.findByText('Terjadi kesalahan pada server')).toBeTruthy();
    server.on(GET, okAnswer(hours()));
    await user.click(screen.getByRole('button', { name: /Coba [Ll]agi/ }));
    expect(await screen.findByRole('switch', { name: 'Senin buka' })).toBeTruthy();
  });
});

describe('holidays', () => {
  const holidays = [
    { date: '2026-05-01', name: 'Hari Buruh' },
    { date: '2026-08-17', name: 'Kemerdekaan' },
    { date: '2026-12-25', name: 'Natal' },
  ];

  it('stand with the next one first, those that have passed folded', async () => {
    server.on(GET, okAnswer(hours({ holidays })));
    const { user } = await openPage();
    const names = (): string[] =>
      screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Nama libur/ }).map(({ value }) => value);
    expect(names()).toEqual(['Kemerdekaan', 'Natal']);
    await user.click(screen.getByRole('button', { name: 'Yang sudah lewat (1)' }));
    expect(names()).toEqual(['Kemerdekaan', 'Natal', 'Hari Buruh']);
  });

  it('adds holidays with Enter, renames and removes them, and saves them in the order of their dates', async () => {
    server.on(GET, okAnswer(hours({ holidays })));
    const { user } = await openPage();
    fireEvent.change(screen.getByLabelText('Tanggal libur'), { target: { value: '16/06/2026' } });
    await user.type(screen.getByRole('textbox', { name: 'Nama hari libur' }), 'Tahun Baru Islam{Enter}');
    expect(savedBodies()).toEqual([]);
    expect(await screen.findByRole('textbox', { name: 'Nama libur 16 Juni 2026' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Hapus libur 25 Desember 2026' }));
    const name = screen.getByRole('textbox', { name: 'Nama libur 17 Agustus 2026' });
    await user.clear(name);
    await user.type(name, 'HUT RI');
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    await waitFor(() =>
      expect(savedBodies().at(-1)?.holidays).toEqual([
        { date: '2026-05-01', name: 'Hari Buruh' },
        { date: '2026-06-16', name: 'Tahun Baru Islam' },
        { date: '2026-08-17', name: 'HUT RI' },
      ]),
    );
  });

  it('that are typed but not added yet are saved too', async () => {
    const { user } = await openPage();
    fireEvent.change(screen.getByLabelText('Tanggal libur'), { target: { value: '17/08/2026' } });
    await user.click(screen.getByRole('button', { name: 'Simpan (Save)' }));
    await waitFor(() => expect(savedBodies().at(-1)?.holidays).toEqual([{ date: '2026-08-17', name: '' }]));
  });
});

describe('closing early', () => {
  it('takes effect at once, leaves typed changes alone, and can be undone', async () => {
    const { user } = await openPage();
    await user.clear(timeField('Senin: jam buka'));
    await user.type(timeField('Senin: jam buka'), '10');
    await user.click(screen.getByRole('button', { name: 'Tutup lebih awal hari ini' }));
    expect(await screen.findByText('Kantor ditutup untuk sisa hari ini')).toBeTruthy();
    expect(savedBodies()).toEqual([hours({ closed_today: true })]);
    expect(timeField('Senin: jam buka').value).toBe('10.00');
    expect(await screen.findByRole('button', { name: 'Buka lagi hari ini' })).toBeTruthy();
    expect(preview().textContent).toBe('Kantor tutup. Buka Kamis 08.00. Pesan Anda tetap tersimpan.');
    await user.click(screen.getByRole('button', { name: 'Urungkan (Undo)' }));
    await waitFor(() => expect(savedBodies().at(-1)).toEqual(hours()));
    expect(await screen.findByRole('button', { name: 'Tutup lebih awal hari ini' })).toBeTruthy();
  });

  it('says when it could not be stored', async () => {
    const { user } = await openPage();
    server.on(PUT, failAnswer(503, 'Server sedang sibuk. Coba lagi.'));
    await user.click(screen.getByRole('button', { name: 'Tutup lebih awal hari ini' }));
    expect(await screen.findByText('Server sedang sibuk. Coba lagi.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Tutup lebih awal hari ini' })).toBeTruthy();
  });
});
