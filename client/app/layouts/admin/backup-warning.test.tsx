import { act, fireEvent, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { buildBackupsData, buildRunningCopy, hoursAgo } from '#client/features/system/testing/build-system.ts';
import { failAnswer, fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { BackupWarning } from './backup-warning.tsx';

const LIST = 'GET /api/admin/backups';
const FIVE_MINUTES_MS = 5 * 60_000;
const failure = { at: hoursAgo(1), message: 'Disk penuh. Kosongkan ruang disk.' };
const failedAnswer = () => okAnswer(buildBackupsData({ failure }));

function open(answer: Parameters<ReturnType<typeof fakeServer>['on']>[1], at = '/admin/users') {
  const server = fakeServer();
  server.on(LIST, answer);
  signIn({ is_admin: true });
  return { ...renderPage(<BackupWarning isFullBleed={false} />, { path: '/admin/*', at }), server };
}

const STEP_MS = 1000;

/** Advances in steps, because React renders what a timer has changed only at the end of a step. */
async function advanceTimers(ms: number): Promise<void> {
  for (let waited = 0; waited < ms; waited += STEP_MS) await act(() => vi.advanceTimersByTimeAsync(STEP_MS));
}
const warning = () => screen.queryByRole('status');

beforeEach(() => {
  vi.useFakeTimers();
});

it('shows the warning some seconds after the page, with a link to the settings', async () => {
  const { server } = open(failedAnswer());
  await advanceTimers(1000);
  expect(server.calls).toEqual([]);
  await advanceTimers(5000);
  expect(warning()?.textContent).toContain('Pencadangan gagal');
  expect(warning()?.textContent).toContain(failure.message);
  expect(screen.getByRole('link', { name: 'Buka Pengaturan' }).getAttribute('href')).toBe('/admin/settings');
});

it('checks every five minutes, and hides the warning when the backups are well again', async () => {
  const { server } = open(failedAnswer());
  await advanceTimers(6000);
  expect(warning()).toBeTruthy();
  server.on(LIST, okAnswer(buildBackupsData()));
  await advanceTimers(FIVE_MINUTES_MS - 10_000);
  expect(server.callsOf(LIST)).toHaveLength(1);
  await advanceTimers(20_000);
  expect(server.callsOf(LIST)).toHaveLength(2);
  expect(warning()).toBeNull();
});

it('stays hidden after it is dismissed, until there is another failure', async () => {
  const first = open(failedAnswer());
  await advanceTimers(6000);
  fireEvent.click(screen.getByRole('button', { name: 'Tutup peringatan' }));
  expect(warning()).toBeNull();
  first.unmount();

  const { server } = open(failedAnswer());
  await advanceTimers(6000);
  expect(server.callsOf(LIST)).toHaveLength(1);
  expect(warning()).toBeNull();
  server.on(LIST, okAnswer(buildBackupsData({ failure: { ...failure, at: hoursAgo(0) } })));
  await advanceTimers(FIVE_MINUTES_MS);
  expect(warning()).toBeTruthy();
});

it.each([
  ['the backups are well', okAnswer(buildBackupsData()), '/admin/users'],
  ['the state cannot be loaded', failAnswer(503, 'Server sedang sibuk. Coba lagi.'), '/admin/users'],
  ['the page is the settings page', failedAnswer(), '/admin/settings'],
  ['the page is the dashboard, which names the problem itself', failedAnswer(), '/admin/dashboard'],
])('shows no warning when %s', async (_name, answer, at) => {
  const { server } = open(answer, at);
  await advanceTimers(10_000);
  expect(server.callsOf(LIST)).toHaveLength(1);
  expect(warning()).toBeNull();
});

describe('the lasting line about the running copy', () => {
  const message = 'Folder "/mnt/usb" tidak ada. Pasang disk USB.';
  const stoppedAnswer = (secondsBehind: number) =>
    okAnswer(
      buildBackupsData({
        running_copy: buildRunningCopy(secondsBehind, { state: 'stopped', message, reason: 'disk' }),
      }),
    );

  it.each(['/admin/users', '/admin/dashboard'])(
    'stands on %s without a way to close it, and leads to the backups',
    async (at) => {
      open(stoppedAnswer(400), at);
      await advanceTimers(6000);
      expect(warning()?.textContent).toContain('Salinan berjalan berhenti sejak');
      expect(warning()?.textContent).toContain(message);
      expect(screen.queryByRole('button')).toBeNull();
      expect(screen.getByRole('link', { name: 'Cadangan' }).getAttribute('href')).toBe('/admin/settings#cadangan');
    },
  );

  it('comes when a stopped copy is five minutes behind, and goes within a minute when it is well again', async () => {
    const { server } = open(stoppedAnswer(250));
    await advanceTimers(6000);
    expect(warning()).toBeNull();
    server.on(LIST, stoppedAnswer(310));
    await advanceTimers(60_000);
    expect(warning()).toBeTruthy();
    server.on(LIST, okAnswer(buildBackupsData({ running_copy: buildRunningCopy(2) })));
    await advanceTimers(60_000);
    expect(warning()).toBeNull();
  });

  it('comes within a minute in an open tab when the office has moved on', async () => {
    const { server } = open(okAnswer(buildBackupsData({ running_copy: buildRunningCopy(2) })));
    await advanceTimers(6000);
    expect(warning()).toBeNull();
    const moved = 'Salinan di /mnt/usb lebih baru: kantor ini mungkin sudah pindah ke komputer lain.';
    const running_copy = buildRunningCopy(12, { state: 'stopped', message: moved, reason: 'moved on' });
    server.on(LIST, okAnswer(buildBackupsData({ running_copy })));
    await advanceTimers(60_000);
    expect(warning()?.textContent).toContain(moved);
  });

  it('stands beside a backup that failed, which can be closed', async () => {
    const running_copy = buildRunningCopy(400, { state: 'stopped', message, reason: 'disk' });
    open(okAnswer(buildBackupsData({ failure, running_copy })));
    await advanceTimers(6000);
    expect(screen.getAllByRole('status')).toHaveLength(2);
    fireEvent.click(screen.getByRole('button', { name: 'Tutup peringatan' }));
    expect(warning()?.textContent).toContain('Salinan berjalan berhenti sejak');
  });

  it('leaves the settings to the card that says it', async () => {
    open(stoppedAnswer(400), '/admin/settings');
    await advanceTimers(6000);
    expect(warning()).toBeNull();
  });
});
