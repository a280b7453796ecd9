import { useState } from 'react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { pushSupport } from '../../notifications/push/push-support.ts';
import { subscribe } from '../../notifications/push/subscription.ts';
import { reloadPushState } from './use-push-state.ts';

/** Why notifications are not on though somebody turned them on; the browser's question was closed, or something failed. */
export type TurnOnProblem = 'unanswered' | 'blocked' | 'failed';

export const problemTexts = {
  unanswered: {
    message: 'Izin belum diberikan',
    hint: 'Nyalakan lagi, lalu pilih Izinkan saat peramban bertanya.',
  },
  failed: {
    message: 'Notifikasi belum dapat dinyalakan',
    hint: 'Peramban mendaftar ke layanannya lewat internet. Periksa sambungan perangkat ini, lalu coba lagi.',
  },
} as const;

/** Turns notifications on in this browser; called from a click, because the browser asks. */
export function useTurnOn() {
  const [problem, setProblem] = useState<TurnOnProblem | null>(null);
  const { submit, busy } = useSubmit(async (onDone?: () => void) => {
    setProblem(null);
    const result = await subscribe();
    reloadPushState();
    if (result === 'on') onDone?.();
    else if (result === 'failed') setProblem('failed');
    else setProblem(pushSupport() === 'denied' ? 'blocked' : 'unanswered');
  });
  return { turnOn: submit, busy, problem, forgetProblem: () => setProblem(null) };
}
