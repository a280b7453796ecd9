import { getDefaultStore } from 'jotai';
import type { Identity } from '../session/state.ts';
import { playBeep, soundStateAtom, unlockSound } from './beep.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createTabClaims } from './tab-claims.ts';
import { createTitleMarker } from './title-marker.ts';

/** The notifier with this browser's own title, sound and tabs. */
export function createBrowserNotifier(identity: Identity, tabId: string, onOpen: (userId: string) => void): Notifier {
  const lock = unlockSound();
  const notifier = createNotifier({
    identity,
    claims: createTabClaims(identity.selfId, tabId),
    title: createTitleMarker(),
    playBeep,
    isSoundReady: () => getDefaultStore().get(soundStateAtom) === 'ready',
    onOpen,
  });
  return {
    ...notifier,
    stop(): void {
      lock();
      notifier.stop();
    },
  };
}
