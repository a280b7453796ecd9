import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { showDateTime } from '#client/lib/format.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import type { RunningCopy } from '#shared/api/system.ts';
import { BackupCard } from './backup-card.tsx';
import { buildBackupsData, buildRunningCopy, hoursAgo } from '../testing/build-system.ts';

const LIST = 'GET /api/admin/backups';
const START = 'POST /api/admin/backups/running-copy';
const second_folder = { path: '/mnt/usb', last_at: hoursAgo(1.5), failure: null };
const answerWith = (running_copy: RunningCopy | null) => okAnswer(buildBackupsData({ second_folder, running_copy }));
const emptied = () =>
  buildRunningCopy(120, {
    state: 'stopped',
    message: 'Di folder "/mnt/usb" tidak ada lagi salinan berjalan: mungkin disknya belum terpasang.',
    reason: 'emptied',
  });

function open(copy: RunningCopy | null) {
  const server = fakeServer();
  server.on(LIST, answerWith(copy));
  signIn({ is_admin: true });
  return { ...renderPage(<BackupCard />), server };
}

/** The only status of the card once it is loaded. */
async function stateOfCopy(): Promise<HTMLElement> {
  await screen.findByRole('button', { name: 'Cadangkan sekarang' });
  return screen.getByRole('status');
}
const stateText = async () => (await stateOfCopy()).textContent;
const newCopyButton = () => screen.queryByRole('button', { name: 'Mulai salinan baru di sini' });

it('counts the age while one looks, asks every ten seconds, and shows when it is made anew', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { server } = open(buildRunningCopy(4));
  expect(await stateText()).toBe('Salinan berjalan: baru saja');
  // The disk hangs: the copy stays as it is.
  const copy = buildRunningCopy(4);
  server.on(LIST, answerWith(copy));
  for (let second = 0; second < 9; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(await stateText()).toMatch(/^Salinan berjalan: 1[2-4] detik yang lalu$/);
  server.on(LIST, answerWith(buildRunningCopy(null, { state: 'starting', percent: 45 })));
  for (let second = 0; second < 11; second += 1) await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(await stateText()).toBe('Salinan berjalan sedang dibuat (45 %)');
  expect(server.callsOf(LIST).length).toBeGreaterThanOrEqual(3);
});

it('keeps the numbers that change by themselves out of what screen readers announce', async () => {
  open(buildRunningCopy(20));
  const status = await stateOfCopy();
  expect(status.querySelector('[aria-live="off"]')?.textContent).toBe('20 detik yang lalu');
});

it('says since when it is stopped and why, without a button where nothing can be begun', async () => {
  const message = 'Disk dari "/mnt/usb" penuh. Kosongkan.';
  const copy = buildRunningCopy(65, { state: 'stopped', message, reason: 'disk' });
  open(copy);
  expect(await stateText()).toBe(
    `Salinan berjalan berhenti sejak ${showDateTime(copy.at ?? '')}${message} Bila komputer ini rusak sekarang, yang ditulis sejak itu hilang.`,
  );
  expect(newCopyButton()).toBeNull();
});

it('says that the office may have moved, and offers nothing', async () => {
  const message = 'Salinan di /mnt/usb lebih baru: kantor ini mungkin sudah pindah ke komputer lain.';
  open(buildRunningCopy(65, { state: 'stopped', message, reason: 'moved on' }));
  expect(await stateText()).toMatch(
    /^Salinan di \/mnt\/usb lebih baru: .* Komputer|lain\.Komputer ini tidak menulis lagi/,
  );
  expect(newCopyButton()).toBeNull();
});

it('begins a new copy in an emptied folder after a question', async () => {
  const { server, user } = open(emptied());
  server.on(START, answerWith(buildRunningCopy(null, { state: 'starting', percent: 0 })));
  await stateOfCopy();
  const press = async (name: string): Promise<void> => {
    await user.click(newCopyButton() ?? document.body);
    const question = within(await screen.findByRole('dialog', { name: 'Mulai salinan baru di sini' }));
    expect(question.getByText(/semua data disalin ke sini.*Tidak ada yang dihapus/)).toBeTruthy();
    await user.click(question.getByRole('button', { name }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await press('Batal');
  await waitFor(() => expect(document.activeElement).toBe(newCopyButton()));
  expect(server.callsOf(START)).toHaveLength(0);
  server.on(LIST, answerWith(buildRunningCopy(null, { state: 'starting', percent: 2 })));
  await press('Mulai salinan baru');
  expect(await screen.findByText('Salinan berjalan baru dimulai')).toBeTruthy();
  expect(await screen.findByText('(2 %)')).toBeTruthy();
  expect(server.callsOf(START)).toHaveLength(1);
  expect(newCopyButton()).toBeNull();
});

it('shows why a new copy was not begun, and the state as it is then', async () => {
  const { server, user } = open(emptied());
  server.on(START, failAnswer(409, 'Tidak ada salinan berjalan yang perlu dimulai dari sini'));
  await stateOfCopy();
  server.on(LIST, answerWith(buildRunningCopy(12)));
  await user.click(newCopyButton() ?? document.body);
  await user.click(await screen.findByRole('button', { name: 'Mulai salinan baru' }));
  expect(await screen.findByText('Tidak ada salinan berjalan yang perlu dimulai dari sini')).toBeTruthy();
  await waitFor(() => expect(newCopyButton()).toBeNull());
});

it('says that it is switched off, and nothing without a second folder or from an older server', async () => {
  const { server, queries } = open(null);
  expect(await stateText()).toBe('Salinan berjalan: mati');
  for (const status of [{ second_folder: null, running_copy: null }, { second_folder }]) {
    server.on(LIST, okAnswer(buildBackupsData(status)));
    await queries.invalidateQueries();
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
    server.on(LIST, answerWith(null));
    await queries.invalidateQueries();
    expect(await stateText()).toBe('Salinan berjalan: mati');
  }
});
