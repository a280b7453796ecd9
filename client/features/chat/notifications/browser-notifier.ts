import { getDefaultStore } from 'jotai';
import { playBeep, soundStateAtom, bindSoundUnlock } from './beep.ts';
import { createNotifier, type NotifiedUser, type Notifier } from './notifier.ts';
import { createNotificationElection } from './notification-election.ts';
import { createTitleMarker } from './title-marker.ts';

/** The notifier with the title, the sound and the tabs of this browser. */
export function createBrowserNotifier(
  currentUser: NotifiedUser,
  tabId: string,
  onOpen: (userId: string) => void,
): Notifier {
  const unbindSoundUnlock = bindSoundUnlock();
  const notifier = createNotifier({
    currentUser,
    election: createNotificationElection(currentUser.id, tabId),
    titleMarker: createTitleMarker(),
    playBeep,
    isSoundReady: () => getDefaultStore().get(soundStateAtom) === 'ready',
    onOpen,
  });
  return {
    ...notifier,
    stop(): void {
      unbindSoundUnlock();
      notifier.stop();
    },
  };
}
