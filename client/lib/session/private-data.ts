import { IDENTITY_KEY } from '../office/office-identity.ts';
import { erasePrivateFiles } from './private-files.ts';
import { listStoredKeys, removeStored } from '../storage/safe-storage.ts';

/** The stored facts about the installed app (client/lib/browser/install-record.ts). */
export const INSTALL_KEY = 'pbb-install';
/** The device tokens (`device-tokens.ts`, which is no part of the first page). */
export const DEVICE_TOKENS_KEY = 'pbb-device-tokens';

/** Settings of this browser, which say nothing about anybody, and the session itself, which `closeSession` removes. */
const KEPT_KEYS = new Set([
  'mantine-color-scheme-value',
  'admin_settings',
  'token',
  'user',
  DEVICE_TOKENS_KEY,
  INSTALL_KEY,
  IDENTITY_KEY,
]);
/** The view, density and page size that an admin chose for lists. */
const KEPT_PREFIXES = ['admin_dashboard_', 'list_'];
/** Unsent messages, drafts and notification state: `pbb-<kind>:<account>`, with more parts behind. */
const ACCOUNT_KEY = /^pbb-(?:draft|outbox|chat-\w+):([^:]+)/;

/** `id` is the name under which the browser keeps what belongs to the account. */
export type LeavingAccount = { id: string; email: string };

const eraseListeners = new Set<(account: LeavingAccount) => void>();

/** Calls `erase` when a user signs out: for what a module keeps in memory beyond the session. */
export function onErasePrivateData(erase: (account: LeavingAccount) => void): void {
  eraseListeners.add(erase);
}

function mayKeep(key: string, accountId: string): boolean {
  if (KEPT_KEYS.has(key) || KEPT_PREFIXES.some((prefix) => key.startsWith(prefix))) return true;
  // Another account whose session has expired here finds its own unsent messages again.
  const owner = ACCOUNT_KEY.exec(key)?.[1];
  return owner !== undefined && owner !== accountId;
}

/** The keys of the router's scroll positions in the browser's history; the second counts while no user is signed in. */
export const USER_SCROLL_KEY = 'pbb-scroll';
export const GUEST_SCROLL_KEY = 'pbb-scroll-guest';

function clearSessionStorage(): void {
  try {
    window.sessionStorage.clear();
    // The router has its positions in memory, too, and replaces them by what it finds here.
    window.sessionStorage.setItem(GUEST_SCROLL_KEY, '{}');
  } catch {
    // Without access to the storage, nothing was stored in it.
  }
}

/**
 * Removes what an account leaves in this browser, because it may be a shared one (docs/requirements.md R-AUTH-20). What no rule
 * keeps is removed, so that a new key cannot be forgotten here.
 */
export function erasePrivateData(account: LeavingAccount): void {
  for (const key of listStoredKeys()) if (!mayKeep(key, account.id)) removeStored(key);
  clearSessionStorage();
  void erasePrivateFiles(account.id);
  for (const erase of eraseListeners) erase(account);
}
