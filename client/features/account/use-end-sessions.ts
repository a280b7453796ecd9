import { useQueryClient } from '@tanstack/react-query';
import { confirm } from '#client/ui/feedback/confirm.ts';
import { notify } from '#client/ui/feedback/notify.tsx';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import type { OwnSession } from '#shared/api/auth.ts';
import { accountKeys, endOtherSessions, endSession } from './api.ts';
import { deviceOf } from './device.ts';

const FAILED = 'Gagal mengakhiri sesi';

/**
 * Signs out elsewhere; asks first.
 * @param onEnded the row and its button are about to go
 */
export function useEndSessions(onEnded: () => void) {
  const queries = useQueryClient();

  async function run(end: () => Promise<unknown>, told: string): Promise<void> {
    try {
      await end();
      notify.success(told);
      onEnded();
    } catch (error) {
      // It may have ended by itself meanwhile; the list is read again either way.
      notify.failure(error, FAILED);
    }
    await queries.invalidateQueries({ queryKey: accountKeys.sessions });
  }

  const one = useSubmit(async (session: OwnSession) => {
    const { name } = deviceOf(session.user_agent);
    const sure = await confirm({
      title: 'Keluarkan perangkat',
      message: `${name} langsung keluar dari akun Anda dan harus masuk lagi dengan password.`,
      confirmLabel: 'Keluarkan',
      danger: true,
    });
    if (sure) await run(() => endSession(session.id), 'Sesi telah diakhiri');
  });

  const others = useSubmit(async () => {
    const sure = await confirm({
      title: 'Keluarkan semua perangkat lain',
      message: 'Semua perangkat lain langsung keluar dari akun Anda. Perangkat ini tetap masuk.',
      confirmLabel: 'Keluarkan semua',
      danger: true,
    });
    if (sure) await run(endOtherSessions, 'Semua sesi lain telah diakhiri');
  });

  return { endOne: one.submit, endOthers: others.submit };
}
