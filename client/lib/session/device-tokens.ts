import { readStored, writeStored } from '../storage/safe-storage.ts';
import { DEVICE_TOKENS_KEY } from './private-data.ts';

/**
 * By a device token the server knows a browser that has signed in to an account before (docs/requirements.md R-AUTH-21).
 * It opens nothing, so it stays after a logout. Without its e-mail address it says nothing about anybody either.
 */

/** A shared computer at the counter may see hundreds of accounts; the ones used last are kept. */
const STORED_MAX = 50;

type Entry = { account: string; token: string };

/** Two rounds of FNV-1a: a name for the account from which its address cannot be read. */
function accountKey(email: string): string {
  const round = (seed: number): string => {
    let hash = seed;
    for (const character of email.trim().toLowerCase()) {
      hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
    }
    return (hash >>> 0).toString(36);
  };
  return `${round(0x811c9dc5)}${round(0x9747b28c)}`;
}

function isEntry(value: unknown): value is Entry {
  const { account, token } = (value ?? {}) as Partial<Record<keyof Entry, unknown>>;
  return typeof account === 'string' && typeof token === 'string';
}

function readEntries(): Entry[] {
  try {
    const stored: unknown = JSON.parse(readStored(DEVICE_TOKENS_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEntry) : [];
  } catch {
    // Text that is not JSON is replaced at the next login.
    return [];
  }
}

/** The field for the body of a call with a password; empty when the account has not signed in here. */
export function deviceTokenOf(email: string | undefined): { device_token?: string } {
  const account = accountKey(email ?? '');
  const entry = readEntries().find((stored) => stored.account === account);
  return entry ? { device_token: entry.token } : {};
}

/** @param token absent in the answer of an older server */
export function storeDeviceToken(email: string | undefined, token: string | undefined): void {
  if (email === undefined || typeof token !== 'string') return;
  const account = accountKey(email);
  const others = readEntries().filter((stored) => stored.account !== account);
  writeStored(DEVICE_TOKENS_KEY, JSON.stringify([{ account, token }, ...others].slice(0, STORED_MAX)));
}
