import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OwnSession } from '#shared/api/auth.ts';
import { accountKeys, endOtherSessions, endSession } from './api.ts';
import { parseUserAgent } from './device.ts';

const FAILED = 'Gagal mengakhiri sesi';

/**
 * Ends other own sessions, after a question.
 * @param onEnded called before the row and its button disappear
 */
export function useEndSessions(onEnded: () => void) {
  const queryClient = useQueryClient();

  async function endAndReload(end: () => Promise<unknown>, successText: string): Promise<void> {
    try {
      await end();
      notify.success(successText);
      onEnded();
    } catch (error) {
      // The session may have ended meanwhile, so the list is loaded again after an error, too.
      notify.failure(error, FAILED);
    }
    await queryClient.invalidateQueries({ queryKey: accountKeys.sessions });
  }

  const one = useSubmit(async (session: OwnSession) => {
    const { name } = parseUserAgent(session.user_agent);
    const isConfirmed = await confirm({
      title: 'Keluarkan perangkat',
      message: `${name} langsung keluar dari akun Anda dan harus masuk lagi dengan password.`,
      confirmLabel: 'Keluarkan',
      danger: true,
    });
    if (isConfirmed) await endAndReload(() => endSession(session.id), 'Sesi telah diakhiri');
  });

  const others = useSubmit(async () => {
    const isConfirmed = await confirm({
      title: 'Keluarkan semua perangkat lain',
      message: 'Semua perangkat lain langsung keluar dari akun Anda. Perangkat ini tetap masuk.',
      confirmLabel: 'Keluarkan semua',
      danger: true,
    });
    if (isConfirmed) await endAndReload(endOtherSessions, 'Semua sesi lain telah diakhiri');
  });

  return { endOne: one.submit, endOthers: others.submit };
}
