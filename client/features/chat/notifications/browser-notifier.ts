import { getDefaultStore } from 'jotai';
import { createBrowserNotifications } from './browser-notifications.ts';
import { playBeep, soundStateAtom, bindSoundUnlock } from './beep.ts';
import { createNotifier, electionDelayMs, type NotifiedUser, type Notifier } from './notifier.ts';
import { createNotificationElection } from './notification-election.ts';
import { readNotificationPreferences } from './preferences.ts';
import type { RepeatedBeep, RepeatedBeepDeps, WaitLookup } from './repeated-beep.ts';
import { createTitleMarker } from './title-marker.ts';

function wantsRepeatedBeep(): boolean {
  const { notifications, chatSound, repeatSound } = readNotificationPreferences();
  return notifications && chatSound && repeatSound;
}

/** Loaded on its own, because users never need it. What comes before its code is kept. */
function loadRepeatedBeep(deps: RepeatedBeepDeps): RepeatedBeep {
  let isStopped = false;
  const early: string[] = [];
  let repeatedBeep: RepeatedBeep | undefined;
  async function load(): Promise<void> {
    const { createRepeatedBeep } = await import('./repeated-beep.ts');
    if (isStopped) return;
    repeatedBeep = createRepeatedBeep(deps);
    for (const userId of early) repeatedBeep.alerted(userId);
  }
  load().catch((error: unknown) => console.warn('The repeated sound could not be loaded', error));
  return {
    alerted(userId: string): void {
      if (repeatedBeep) repeatedBeep.alerted(userId);
      else early.push(userId);
    },
    stop(): void {
      isStopped = true;
      repeatedBeep?.stop();
    },
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
        ? loadRepeatedBeep({
            currentUserId: currentUser.id,
            tabId,
            isWanted: wantsRepeatedBeep,
            playBeep,
            isBeingRead: (userId) => election.isBeingRead(userId),
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
