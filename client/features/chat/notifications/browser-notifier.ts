import { getDefaultStore } from 'jotai';
import { createBrowserNotifications } from './desktop/browser-notifications.ts';
import { playBeep, soundStateAtom, bindSoundUnlock } from './beep.ts';
import type { NotifiedUser } from './desktop/desktop-notification.ts';
import { createNotifier, electionDelayMs, type Notifier, type NotifierDeps } from './notifier.ts';
import { isBeingRead, openNotificationElection } from './notification-election.ts';
import type { OpenBeepDeps, WaitLookup } from './repeated-beep.ts';
import { createTitleMarker } from './title-marker.ts';

/** Loaded on its own, because users never need it. An alert that comes before its code waits for it. */
function loadRepeatedBeep(deps: OpenBeepDeps): NotifierDeps['repeatedBeep'] {
  const loading = import('./repeated-beep.ts')
    .then(({ openRepeatedBeep }) => openRepeatedBeep(deps))
    .catch((error: unknown) => console.warn('The repeated sound could not be loaded', error));
  return {
    alerted: (userId) => void loading.then((beep) => beep?.alerted(userId)),
    stop: () => void loading.then((beep) => beep?.stop()),
  };
}

/** `write`: from outside the page, to answer. */
export type OnOpen = (userId: string, how: { write: boolean }) => void;

/** The notifier with the title, the sound and the tabs of this browser. */
export function createBrowserNotifier(
  currentUser: NotifiedUser,
  tabId: string,
  onOpen: OnOpen,
  lookup: WaitLookup,
): Notifier {
  const unbindSoundUnlock = bindSoundUnlock();
  const election = openNotificationElection(currentUser.id, tabId);
  const isSoundReady = (): boolean => getDefaultStore().get(soundStateAtom) === 'ready';
  const notifier = createNotifier({
    currentUser,
    election,
    titleMarker: createTitleMarker(),
    playBeep,
    isSoundReady,
    repeatedBeep:
      currentUser.side === 'admin'
        ? loadRepeatedBeep({
            currentUserId: currentUser.id,
            tabId,
            playBeep,
            isBeingRead: (userId) => isBeingRead(election, userId),
            lookup,
            delayMs: () => electionDelayMs(isSoundReady()),
          })
        : undefined,
    desktop: createBrowserNotifications(currentUser, (userId) => onOpen(userId, { write: true })),
    onOpen: (userId) => onOpen(userId, { write: false }),
  });
  return {
    ...notifier,
    stop(): void {
      unbindSoundUnlock();
      notifier.stop();
    },
  };
}
