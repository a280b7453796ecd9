import { useAtomValue } from 'jotai';
import { useSyncExternalStore, useState } from 'react';
import { useSubmit } from '#client/ui/form/use-submit.ts';
import { pushSupport, type PushSupport } from '../../notifications/push/push-support.ts';
import { isSubscribedAtom, subscribe } from '../../notifications/push/subscription.ts';

/**
 * Why turning notifications on did not work. `blocked`: the browser does not ask again, and the state says so.
 * `no-worker`: the browser runs no service worker here, as after a warning about the certificate that was clicked away.
 */
type TurnOnProblem = 'unanswered' | 'blocked' | 'no-worker' | 'failed';

type Words = { kind: 'warning' | 'error'; message: string; hint: string };

const problemWords: Record<Exclude<TurnOnProblem, 'blocked'>, Words> = {
  unanswered: {
    kind: 'warning',
    message: 'Izin belum diberikan',
    hint: 'Nyalakan lagi, lalu pilih Izinkan saat peramban bertanya.',
  },
  'no-worker': {
    kind: 'error',
    message: 'Peramban ini belum siap menerima notifikasi',
    hint: 'Muat ulang halaman, lalu coba lagi. Jika di samping alamat tertulis Tidak aman, pasang dulu sertifikat kantor di perangkat ini.',
  },
  failed: {
    kind: 'error',
    message: 'Notifikasi belum dapat dinyalakan',
    hint: 'Peramban mendaftar ke layanannya lewat internet, dan tidak di jendela samaran. Periksa sambungan perangkat ini, lalu coba lagi.',
  },
};

async function hasWorker(): Promise<boolean> {
  try {
    return (await navigator.serviceWorker.getRegistration()) !== undefined;
  } catch {
    return false;
  }
}

/** Turns notifications on in this browser; called from a click, because the browser asks. */
export function useTurnOn() {
  const [problem, setProblem] = useState<TurnOnProblem | null>(null);
  const { submit, busy } = useSubmit(async (onDone?: () => void) => {
    setProblem(null);
    const result = await subscribe();
    reloadPushState();
    if (result === 'on') onDone?.();
    else if (result === 'failed') setProblem((await hasWorker()) ? 'failed' : 'no-worker');
    else if (result === 'denied') setProblem(pushSupport() === 'denied' ? 'blocked' : 'unanswered');
  });
  return {
    turnOn: submit,
    busy,
    /** The browser blocks notifications since the person was asked here. */
    wasBlocked: problem === 'blocked',
    problemWords: problem === null || problem === 'blocked' ? null : problemWords[problem],
    forgetProblem: () => setProblem(null),
  };
}

/** `on`, `off`: this browser can have notifications. Else why it cannot. */
export type PushState = 'on' | 'off' | Exclude<PushSupport, 'ready'>;

const listeners = new Set<() => void>();

function subscribeToSupport(listener: () => void): () => void {
  listeners.add(listener);
  // No event reports a change in the browser's settings, but afterwards the page gets the focus.
  window.addEventListener('focus', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('focus', listener);
  };
}

/** After the browser has asked its person. */
function reloadPushState(): void {
  for (const listener of listeners) listener();
}

/** Whether notifications are on in this browser, or why they cannot be (R-PUSH-62). */
export function usePushState(): PushState {
  const support = useSyncExternalStore(subscribeToSupport, pushSupport);
  const isSubscribed = useAtomValue(isSubscribedAtom);
  if (support !== 'ready') return support;
  return isSubscribed ? 'on' : 'off';
}
