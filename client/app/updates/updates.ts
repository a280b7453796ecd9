import { getDefaultStore } from 'jotai';
import { fetchServerBuild } from '#client/lib/api/api.ts';
import { onReachableAgain } from '#client/lib/api/server-reachability.ts';
import { currentSession, onSessionChange } from '#client/lib/session/session.ts';
import { socketConnectedAtom } from '#client/realtime/connection-state.ts';
import { isTrafficScarce } from '../pages/prefetch-pages.ts';
import { offerUpdate } from './update-offer.ts';
import { askWorker, fetchNewWorker, ownBuild, registerWorker } from '#client/lib/browser/worker-registration.ts';

/** The opened page, its data and the chat come first. */
const START_DELAY_MS = 2000;
/** A page that is looked at again asks for a new version, but not each time. */
const ASK_AGAIN_MS = 15 * 60_000;
/** Everything that the page has asked for meanwhile is in the browser's own cache. */
const FILL_DELAY_MS = 1000;

const store = getDefaultStore();

let askedAtMs = -ASK_AGAIN_MS;
let isAsking = false;

/** Offers the server's build when it is not the one of this page (docs/requirements.md R-PWA-14). */
async function askForUpdate(registration: ServiceWorkerRegistration | null): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  askedAtMs = performance.now();
  try {
    const build = await fetchServerBuild();
    if (build === null || build === ownBuild()) return;
    if (registration) await fetchNewWorker(registration);
    offerUpdate(build);
  } finally {
    isAsking = false;
  }
}

/** Keeps what the signed-in person needs without a network. */
async function fillWorker(): Promise<void> {
  const { active, waiting, installing } = await navigator.serviceWorker.ready;
  // A busy worker holds up its successor, and with it the next page.
  if (waiting || installing) return;
  const isAdmin = currentSession()?.user?.is_admin ?? false;
  const area = isTrafficScarce() ? 'first' : isAdmin ? 'admin' : 'user';
  if (active) await askWorker(active, { type: 'fill', build: ownBuild(), area });
}

async function start(): Promise<void> {
  const registration = await registerWorker();
  const ask = (): void => void askForUpdate(registration);
  ask();
  onReachableAgain(ask);
  // A server that is quickly back was never reported as away.
  store.sub(socketConnectedAtom, () => {
    if (store.get(socketConnectedAtom)) ask();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && performance.now() - askedAtMs > ASK_AGAIN_MS) ask();
  });
  // Code of this page is gone from the server.
  window.addEventListener('vite:preloadError', ask);
  if (!registration) return;
  registration.addEventListener('updatefound', ask);
  const fill = (): void => {
    setTimeout(() => void fillWorker(), FILL_DELAY_MS);
  };
  onSessionChange((session) => {
    if (session?.user?.is_admin) fill();
  });
  fill();
}

/** Registers the service worker and looks out for new versions, once the page has its data. */
export function watchUpdates(): void {
  if (ownBuild() !== '') setTimeout(() => void start(), START_DELAY_MS);
}
