import { clear, createStore, del, get, set, update, type UseStore, values } from 'idb-keyval';

/**
 * Facts about this browser that pages and the service worker share: the account whose notifications it shows, those it has
 * shown, and answers that could not be sent. The service worker has no local storage.
 */

/** The account whose notifications this browser shows; nobody else's are shown or opened. */
export type DeviceAccount = { id: string };

/** An answer that was typed into a notification. `failed`: it was not sent, as far as this browser knows. */
export type KeptReply = {
  /** The `client_id` of the message. */
  id: string;
  accountId: string;
  /** The user whose conversation it is. */
  userId: string;
  content: string;
  at: number;
  failed: boolean;
};

/** An admin may hear from many people; what is older was read or dismissed long ago. */
const TOLD_MAX = 500;

/** A database, opened at its first use, and once more when it fails: a phone may close it while the page sleeps. */
function openStore(name: string): UseStore {
  const connect = (): UseStore => createStore(`pbb-notifications-${name}`, 'kept');
  let store: UseStore | undefined;
  return async (mode, work) => {
    try {
      return await (store ??= connect())(mode, work);
    } catch {
      store = connect();
      return store(mode, work);
    }
  };
}
const deviceStore = openStore('device');
const replyStore = openStore('replies');

type Told = Record<string, number>;

export async function readDeviceAccount(): Promise<DeviceAccount | null> {
  return (await get<DeviceAccount>('account', deviceStore)) ?? null;
}

export async function writeDeviceAccount(account: DeviceAccount): Promise<void> {
  await set('account', account, deviceStore);
}

/** No account any more: nothing is shown until the next one signs in. */
export async function forgetDevice(): Promise<void> {
  await clear(deviceStore);
}

/** The newest message that was shown under a tag, or read. */
export async function readTold(tag: string): Promise<number> {
  return (await get<Told>('told', deviceStore))?.[tag] ?? 0;
}

export async function rememberTold(tag: string, messageId: number): Promise<void> {
  await update<Told>(
    'told',
    (told = {}) => {
      const { [tag]: before = 0, ...others } = told;
      const kept = Object.entries(others).slice(1 - TOLD_MAX);
      return { ...Object.fromEntries(kept), [tag]: Math.max(before, messageId) };
    },
    deviceStore,
  );
}

export async function keepReply(reply: KeptReply): Promise<void> {
  await set(reply.id, reply, replyStore);
}

export async function removeReply(id: string): Promise<void> {
  await del(id, replyStore);
}

export async function readReplies(accountId: string): Promise<KeptReply[]> {
  const all = await values<KeptReply>(replyStore);
  return all.filter((reply) => reply.accountId === accountId).toSorted((a, b) => a.at - b.at);
}

export async function eraseReplies(accountId: string): Promise<void> {
  for (const { id } of await readReplies(accountId)) await removeReply(id);
}
