import type { ShellRequest } from '#shared/shell-messages.ts';

/** The service worker as a page sees it. Where there is none, nothing here does anything. */

/** A worker that does not answer by then is not waited for. */
const ANSWER_TIMEOUT_MS = 5000;
/** On a weak connection the files of a new version take their time. */
const INSTALL_TIMEOUT_MS = 60_000;

/** The build of this page; none while developing. */
export const ownBuild = (): string => document.documentElement.dataset['build'] ?? '';

/** Whether the operator has switched the worker off. */
const isSwitchedOff = (): boolean => document.documentElement.dataset['serviceWorker'] === 'off';

/** As the worker in its place does, which the browser may fetch only later. */
async function removeAll(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
  for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
}

/** @returns null over plain http, while developing, in a private window, or when it is switched off (R-PWA-1, R-PWA-18) */
export async function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator) || ownBuild() === '') return null;
  try {
    if (isSwitchedOff()) {
      await removeAll();
      return null;
    }
    // The browser's cache must never answer for the script, which names the newest build.
    const options = { updateViaCache: 'none' } as const;
    const registration: ServiceWorkerRegistration | undefined = await navigator.serviceWorker.register(
      '/sw.js',
      options,
    );
    return registration ?? null;
  } catch {
    return null;
  }
}

function within<T>(work: Promise<T>, timeoutMs: number, otherwise: T): Promise<T> {
  return Promise.race([work, new Promise<T>((resolve) => setTimeout(() => resolve(otherwise), timeoutMs))]);
}

/** @returns whether the worker did what it was asked for */
export function askWorker(worker: ServiceWorker, request: ShellRequest): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<boolean>((resolve) => {
    port1.addEventListener('message', ({ data }) => resolve(data === true));
    port1.start();
  });
  worker.postMessage(request, [port2]);
  return within(answer, ANSWER_TIMEOUT_MS, false);
}

/** Waits until a worker that is being installed is ready or has failed. */
function waitUntilInstalled(worker: ServiceWorker): Promise<void> {
  const settled = new Promise<void>((resolve) => {
    const look = (): void => {
      if (worker.state !== 'installing') resolve();
    };
    worker.addEventListener('statechange', look);
    look();
  });
  return within(settled, INSTALL_TIMEOUT_MS, undefined);
}

/** Has the newest worker fetched, so that a new version only has to be opened. */
export async function fetchNewWorker(registration: ServiceWorkerRegistration): Promise<void> {
  try {
    await registration.update();
    if (registration.installing) await waitUntilInstalled(registration.installing);
  } catch {
    // The script cannot be had; a page can still be opened from the network.
  }
}

/** Lets the new version answer from now on; where it could not be kept, the network. Never rejects. */
export async function leaveOldVersion(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const { serviceWorker } = navigator;
  try {
    const registration = await serviceWorker.getRegistration();
    const waiting = registration?.waiting;
    if (waiting) {
      const changed = new Promise<void>((resolve) => {
        serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
      });
      // Its answer is not awaited: the browser holds it back for as long as the old worker is busy.
      void askWorker(waiting, { type: 'activate' });
      await within(changed, ANSWER_TIMEOUT_MS, undefined);
    }
    // Not the controller: a page that was loaded past the worker has none, and its next load asks the worker again.
    if (registration?.active) await askWorker(registration.active, { type: 'leave', build: ownBuild() });
  } catch {
    // A browser that keeps nothing for this site refuses even the question, and has no worker.
  }
}

/** Loads a page, and begins anew when the worker is replaced meanwhile: Chromium may never answer what the old one was asked. */
export function loadPage(load: () => void): void {
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('controllerchange', load, { once: true });
  load();
}
