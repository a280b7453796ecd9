import { screen, waitFor } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { backupsQuery } from '#client/features/system/api.ts';
import { buildBackupsData, hoursAgo } from '#client/features/system/testing/build-system.ts';
import type { RealtimeConnection } from '#client/realtime/socket.ts';
import { fakeSocket } from '#client/realtime/testing/fake-socket.ts';
import { fakeServer, okAnswer } from '#client/testing/fake-server.ts';
import { renderPage, signIn } from '#client/testing/render.tsx';
import { DownloadNotice } from './download-notice.tsx';

const connection: { current: RealtimeConnection | null } = vi.hoisted(() => ({ current: null }));
vi.mock('#client/realtime/socket.ts', () => ({ openRealtimeConnection: () => connection.current }));

const LIST = 'GET /api/admin/backups';
const SEEN = 'POST /api/admin/backups/downloads/seen';
const download = { id: '7', _id: '7', name: 'pbb-kita.tar', actor_name: 'Dewi', created_at: hoursAgo(1) };

/** In the layout the warning about backups loads the list. */
function Loaded() {
  useQuery(backupsQuery);
  return <DownloadNotice isFullBleed={false} />;
}

it('names who downloaded a backup until it is confirmed', async () => {
  connection.current = fakeSocket().connection;
  const server = fakeServer();
  server.on(LIST, okAnswer({ ...buildBackupsData(), downloads: [download] }));
  server.on(SEEN, okAnswer({}));
  signIn({ is_admin: true });
  const { user } = renderPage(<Loaded />);
  expect((await screen.findByRole('alert')).textContent).toContain('Dewi');
  server.on(LIST, okAnswer({ ...buildBackupsData(), downloads: [] }));
  await user.click(screen.getByRole('button', { name: 'Sudah saya lihat' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(server.callsOf(SEEN).map(({ body }) => body)).toEqual([{ up_to: '7' }]);
});

it('shows nothing without a download', async () => {
  connection.current = fakeSocket().connection;
  const server = fakeServer();
  server.on(LIST, okAnswer(buildBackupsData()));
  signIn({ is_admin: true });
  renderPage(<Loaded />);
  await waitFor(() => expect(server.callsOf(LIST)).toHaveLength(1));
  expect(screen.queryByRole('alert')).toBeNull();
});
