import type { QueryClient } from '@tanstack/react-query';
import { currentSession, onSessionChange } from '#client/lib/session/session.ts';
import { acquireConnection } from '#client/realtime/connection.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import type { ExportProgress } from '#shared/api/own-data.ts';
import { exportQuery } from './api.ts';

let unwatch: (() => void) | null = null;

const stopWatching = (): void => {
  unwatch?.();
  unwatch = null;
};

/** Says how a copy ended that this tab has seen running. */
function tell({ state }: Pick<ExportProgress, 'state'>): void {
  stopWatching();
  if (state === 'ready') notify.success('Salinan data Anda siap. Unduh di Akun Saya.');
  else notify.error('Salinan data Anda gagal dibuat', 'Coba lagi di Akun Saya.');
}

/**
 * Follows a running copy on whichever page its owner is, until it has ended. It begins with the copy: the pages of others do not
 * load this code.
 */
export function watchExport(queryClient: QueryClient): void {
  const token = currentSession()?.token;
  if (unwatch || token === undefined) return;
  const { socket, close } = acquireConnection(token);
  const onChange = (progress: ExportProgress): void => {
    if (progress.state !== 'running') {
      void queryClient.invalidateQueries({ queryKey: exportQuery.queryKey });
      tell(progress);
      return;
    }
    queryClient.setQueryData(exportQuery.queryKey, (known) => known && { ...known, ...progress });
  };
  // Missed events do not come again.
  async function lookAgain(): Promise<void> {
    const found = await queryClient.fetchQuery(exportQuery);
    if (unwatch && found.state !== 'running') tell(found);
  }
  const onConnect = (): void => void lookAgain().catch(() => undefined);
  socket.on('export:changed', onChange);
  socket.on('connect', onConnect);
  const unbind = onSessionChange(stopWatching);
  unwatch = () => {
    socket.off('export:changed', onChange);
    socket.off('connect', onConnect);
    unbind();
    close();
  };
}
