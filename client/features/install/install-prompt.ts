import { atom, getDefaultStore } from 'jotai';
import { isInstalledApp, onInstalledWindow } from '#client/lib/browser/display-mode.ts';
import { changeInstallRecord, installRecordAtom } from '#client/lib/browser/install-record.ts';

/** The event that Chromium sends to the page instead of showing its own offer. The types of the DOM lack it. */
type InstallPrompt = Event & {
  prompt: () => Promise<void>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

type InstallState = {
  prompt: InstallPrompt | null;
  /** `soon`: the person has agreed, and the browser is at it. `now`: while this page was open. */
  installed: 'no' | 'soon' | 'before' | 'now';
};

function isInstallPrompt(event: unknown): event is InstallPrompt {
  return event instanceof Event && 'prompt' in event && 'userChoice' in event;
}

/** The event may have come before this module: boot.js keeps it. */
function earlyPrompt(): InstallPrompt | null {
  const { pbbInstallPrompt } = window as { pbbInstallPrompt?: unknown };
  return isInstallPrompt(pbbInstallPrompt) ? pbbInstallPrompt : null;
}

const store = getDefaultStore();
const firstPrompt = earlyPrompt();
// A browser that offers to install has not installed it, whatever was remembered.
if (firstPrompt) changeInstallRecord({ isInstalled: false });
const stateAtom = atom<InstallState>({
  prompt: firstPrompt,
  installed: isInstalledApp() || store.get(installRecordAtom).isInstalled ? 'before' : 'no',
});

/** Whether the app is installed, and how the browser offers to install it. */
export const installStateAtom = atom((get) => get(stateAtom));

window.addEventListener('beforeinstallprompt', (event) => {
  if (!isInstallPrompt(event)) return;
  event.preventDefault();
  changeInstallRecord({ isInstalled: false });
  store.set(stateAtom, { prompt: event, installed: isInstalledApp() ? 'before' : 'no' });
});

window.addEventListener('appinstalled', () => {
  changeInstallRecord({ isInstalled: true });
  store.set(stateAtom, { prompt: null, installed: 'now' });
});

onInstalledWindow(() => {
  const { installed } = store.get(stateAtom);
  store.set(stateAtom, { prompt: null, installed: installed === 'now' ? 'now' : 'before' });
});

/**
 * Shows the browser's own question. It can be asked once; the browser sends a new event when it may be asked again.
 * @returns whether the person agreed; the app is installed some moments later
 */
export async function askToInstall(): Promise<boolean> {
  const { prompt } = store.get(stateAtom);
  if (!prompt) return false;
  delete (window as { pbbInstallPrompt?: unknown }).pbbInstallPrompt;
  let hasAgreed = false;
  try {
    await prompt.prompt();
    hasAgreed = (await prompt.userChoice).outcome === 'accepted';
  } catch {
    // The browser asks only in answer to a press, and not while another window asks.
  }
  // The browser may have been faster.
  if (store.get(stateAtom).prompt === prompt) {
    store.set(stateAtom, { prompt: null, installed: hasAgreed ? 'soon' : 'no' });
  }
  return hasAgreed;
}
