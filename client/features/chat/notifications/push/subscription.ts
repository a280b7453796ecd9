import { atom, getDefaultStore } from 'jotai';
import { api } from '#client/lib/api/api.ts';
import { ApiError } from '#client/lib/api/api-error.ts';
import { oneAtATime } from '#client/lib/notifications/one-at-a-time.ts';
import { takeOverDevice } from '#client/lib/notifications/show-once.ts';
import { bindToOtherTabs } from '#client/lib/session/other-tabs.ts';
import { readStored, removeStored, writeStored } from '#client/lib/storage/safe-storage.ts';
import { accountIdOf, currentSession, onSessionChange } from '#client/lib/session/session.ts';
import { rememberPushChoices } from './push-choices.ts';
import { pushSupport } from './push-support.ts';

/** A worker that is installed just now may take this long; where none can be, `ready` never settles. */
const WORKER_WAIT_MS = 15_000;

/** The endpoint that this account wants notifications at, in this browser; a sign-out removes it with all data of the account. */
const storageKeyOf = (accountId: string): string => `pbb-chat-push:${accountId}`;

type SignedIn = { token: string; accountId: string };

/** @returns null when nobody is signed in, and while the account of the session is not known */
function findSignedIn(): SignedIn | null {
  const session = currentSession();
  return session?.user ? { token: session.token, accountId: accountIdOf(session.user) } : null;
}

const readEndpoint = ({ accountId }: SignedIn): string | null => readStored(storageKeyOf(accountId));

const subscribedAtom = atom(false);

/** Whether the signed-in person has notifications turned on in this browser. */
export const isSubscribedAtom = atom((get) => get(subscribedAtom));

function updateAtom(): void {
  const signedIn = findSignedIn();
  getDefaultStore().set(subscribedAtom, signedIn !== null && readEndpoint(signedIn) !== null);
}
onSessionChange(updateAtom);
bindToOtherTabs(updateAtom, updateAtom);
updateAtom();

async function findRegistration(): Promise<ServiceWorkerRegistration> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('There is no service worker')), WORKER_WAIT_MS);
  });
  try {
    return await Promise.race([navigator.serviceWorker.ready, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function decodeKey(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/** Whether pushes of this server reach the subscription: another installation, or a lost key, has another one. */
function hasKey(subscription: PushSubscription, key: Uint8Array): boolean {
  const own = subscription.options.applicationServerKey;
  if (!own) return false;
  const bytes = new Uint8Array(own);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

function bodyOf(subscription: PushSubscription) {
  const { keys = {} } = subscription.toJSON();
  return { endpoint: subscription.endpoint, keys: { p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '' } };
}

/** Two pages must not each make one and end that of the other. */
const LOCK = 'subscription';
const LOCK_WAIT_MS = 30_000;

/** Counts how often notifications were turned off on this page. A change tells a `subscribe` that is under way to stop. */
let offCount = 0;

/**
 * Makes or keeps the subscription of this browser and tells the server where it is.
 * @param isWanted false once notifications were turned off meanwhile
 * @returns whether they are on now
 */
async function bring(signedIn: SignedIn, isWanted: () => boolean): Promise<boolean> {
  const registration = await findRegistration();
  // The first push may come before the chat of this page has begun.
  await takeOverDevice(registration, signedIn.accountId);
  const { public_key } = await api.get('/push/key');
  const key = decodeKey(public_key);
  const known = await registration.pushManager.getSubscription();
  // One that another account left here would bring what is still under way to that account.
  const isKept = known !== null && known.endpoint === readEndpoint(signedIn) && hasKey(known, key);
  if (known && !isKept) await known.unsubscribe();
  const subscription = isKept
    ? known
    : await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const isSameSession = (): boolean => currentSession()?.token === signedIn.token;
  try {
    if (isSameSession() && isWanted()) await api.put('/push/subscription', { body: bodyOf(subscription) });
  } catch (error) {
    // A subscription that the server refused has no use. Without an answer the next start of a page tries again.
    if (error instanceof ApiError && error.kind === 'http' && !isKept) await subscription.unsubscribe();
    throw error;
  }
  if (isSameSession() && isWanted()) {
    writeStored(storageKeyOf(signedIn.accountId), subscription.endpoint);
    updateAtom();
    return true;
  }
  // The session has taken its subscription along; one that was turned off may have ended before the server heard of it.
  await Promise.allSettled([isSameSession() ? api.delete('/push/subscription') : null, subscription.unsubscribe()]);
  return false;
}

/**
 * Turns notifications on in this browser; called from a click, because the browser asks.
 * @returns `denied` also when the question was closed without an answer; `pushSupport()` is still `ready` then. `off`: turned
 * off again meanwhile, or signed out
 */
export async function subscribe(): Promise<'on' | 'off' | 'denied' | 'failed'> {
  const signedIn = findSignedIn();
  const offCountBefore = offCount;
  const support = pushSupport();
  if (support === 'denied') return 'denied';
  if (!signedIn || support !== 'ready') return 'failed';
  try {
    if ((await Notification.requestPermission()) !== 'granted') return 'denied';
    const isOn = await oneAtATime(LOCK, () => bring(signedIn, () => offCount === offCountBefore), LOCK_WAIT_MS);
    return isOn ? 'on' : 'off';
  } catch (error) {
    console.warn('Notifications could not be turned on', error);
    return 'failed';
  }
}

/** Turns notifications off in this browser. One of the two steps is enough, so that it works without a connection, too. */
export async function unsubscribe(): Promise<void> {
  const signedIn = findSignedIn();
  offCount += 1;
  if (signedIn) removeStored(storageKeyOf(signedIn.accountId));
  updateAtom();
  const endHere = async (): Promise<void> => {
    const subscription = await (await findRegistration()).pushManager.getSubscription();
    await subscription?.unsubscribe();
  };
  await Promise.allSettled([signedIn ? api.delete('/push/subscription') : null, endHere()]);
}

async function renew(signedIn: SignedIn): Promise<void> {
  if (readEndpoint(signedIn) === null) {
    // Of an account that could not end it, as without a connection.
    await (await (await findRegistration()).pushManager.getSubscription())?.unsubscribe();
  } else if (Notification.permission === 'granted') {
    // Another tab may turn them off, too.
    await bring(signedIn, () => readEndpoint(signedIn) !== null);
  } else await unsubscribe();
}

/**
 * At the start of a page, and when the browser has replaced the subscription: the server gets the one that counts now. A
 * permission that was taken back turns notifications off, and what another account left behind ends.
 */
export async function renewSubscription(): Promise<void> {
  const signedIn = findSignedIn();
  const support = pushSupport();
  if (!signedIn || (support !== 'ready' && support !== 'denied')) return;
  try {
    await oneAtATime(LOCK, () => renew(signedIn), LOCK_WAIT_MS);
    // Another device may have changed it.
    if (readEndpoint(signedIn) !== null) rememberPushChoices(await api.get('/push/preferences'));
  } catch (error) {
    console.warn('Notifications could not be renewed', error);
  }
}
