import { useSyncExternalStore } from 'react';
import type { OfficeIdentity } from '#shared/api/office/office-identity.ts';
import { isPlainObject } from '../storage/is-plain-object.ts';
import { readStored, removeStored, writeStored } from '../storage/safe-storage.ts';

/** The identity of the office, as this browser last read it. It says nothing about the account that was signed in. */
export const IDENTITY_KEY = 'pbb-office-identity';

export const NO_IDENTITY: OfficeIdentity = { name: '', address: '', phone: '', whatsapp: '', logo_url: null };

function parse(stored: string | null): unknown {
  try {
    return JSON.parse(stored ?? '');
  } catch {
    return null;
  }
}

/** Parsed again only when another text is stored, so that React sees the same object until then. */
let known: { stored: string | null; identity: OfficeIdentity } = { stored: null, identity: NO_IDENTITY };

/** Known at once, also without a connection; every field is empty before the first answer. */
export function readOfficeIdentity(): OfficeIdentity {
  const stored = readStored(IDENTITY_KEY);
  if (stored !== known.stored) known = { stored, identity: toIdentity(parse(stored)) };
  return known.identity;
}

function toIdentity(value: unknown): OfficeIdentity {
  if (!isPlainObject(value)) return NO_IDENTITY;
  const text = (field: keyof OfficeIdentity): string => {
    const found = value[field];
    return typeof found === 'string' ? found : '';
  };
  return {
    name: text('name'),
    address: text('address'),
    phone: text('phone'),
    whatsapp: text('whatsapp'),
    logo_url: text('logo_url') || null,
  };
}

const listeners = new Set<() => void>();

/** An office that says nothing about itself leaves nothing in the browser. */
export function storeOfficeIdentity(identity: OfficeIdentity): void {
  if (Object.values(identity).some(Boolean)) writeStored(IDENTITY_KEY, JSON.stringify(identity));
  else removeStored(IDENTITY_KEY);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has stored a newer one.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useOfficeIdentity = (): OfficeIdentity => useSyncExternalStore(subscribe, readOfficeIdentity);
