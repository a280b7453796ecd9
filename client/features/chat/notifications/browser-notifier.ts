import { getDefaultStore } from 'jotai';
import { playBeep, soundStateAtom, bindSoundUnlock } from './beep.ts';
import { createNotifier, electionDelayMs, type NotifiedUser, type Notifier } from './notifier.ts';
import { createNotificationElection } from './notification-election.ts';
import { readNotificationPreferences } from './preferences.ts';
import { createRepeatedBeep, type WaitLookup } from './repeated-beep.ts';
import { createTitleMarker } from './title-marker.ts';

function wantsRepeatedBeep(): boolean {
  const { notifications, chatSound, repeatSound } = readNotificationPreferences();
  return notifications && chatSound && repeatSound;
}

/** The notifier with the title, the sound and the tabs of this browser. */
export function createBrowserNotifier(
  currentUser: NotifiedUser,
  tabId: string,
  onOpen: (userId: string) => void,
  lookup: WaitLookup,
): Notifier {
  const unbindSoundUnlock = bindSoundUnlock();
  const election = createNotificationElection(currentUser.id, tabId);
  const isSoundReady = (): boolean => getDefaultStore().get(soundStateAtom) === 'ready';
  const notifier = createNotifier({
    currentUser,
    election,
    titleMarker: createTitleMarker(),
    playBeep,
    isSoundReady,
    repeatedBeep:
      currentUser.side === 'admin'
        ? createRepeatedBeep({
            currentUserId: currentUser.id,
            tabId,
            isWanted: wantsRepeatedBeep,
            playBeep,
            isBeingRead: (userId) => election.isBeingRead(userId),
            lookup,
            delayMs: () => electionDelayMs(isSoundReady()),
          })
        : undefined,
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
