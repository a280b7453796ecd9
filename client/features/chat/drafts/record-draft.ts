import { getDefaultStore } from 'jotai';
import { useMemo } from 'react';
import type { RecordCardFields } from '#shared/api/tax-records/record-card.ts';
import { AMOUNT_SOURCES, PROPERTY_TYPES, RECORD_STATUSES } from '#shared/domain/tax-records/record-values.ts';
import { isPlainObject } from '#client/lib/storage/is-plain-object.ts';
import { readStored } from '#client/lib/storage/safe-storage.ts';
import { DRAFT_RECORD_PREFIX } from '../files/outbox-file.ts';
import { currentUserAtom } from '../state/selectors.ts';
import { useStoredText, writeStoredText } from './stored-text.ts';

/** A record that the next message of a conversation carries, as it was when it was chosen. */
export type RecordDraft = RecordCardFields & { id: string };

/** The key has the form of `lib/private-data.ts`: it goes when its account signs out, and only then. */
const storageKeyOf = (currentUserId: string, userId: string): string =>
  `${DRAFT_RECORD_PREFIX}${currentUserId}:${userId}`;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function parseRecordDraft(stored: string | null): RecordDraft | null {
  try {
    const value: unknown = JSON.parse(stored ?? 'null');
    if (!isPlainObject(value)) return null;
    const { id, name, address, spt_number, year, amount, updated_at } = value;
    const status = RECORD_STATUSES.find((known) => known === value['status']);
    if (typeof id !== 'string' || typeof name !== 'string' || typeof address !== 'string' || !status) return null;
    if (typeof spt_number !== 'string' || typeof year !== 'number' || typeof amount !== 'number') return null;
    return {
      id,
      name,
      address,
      property_type: PROPERTY_TYPES.find((known) => known === value['property_type']) ?? null,
      spt_number,
      year,
      amount,
      amount_source: AMOUNT_SOURCES.find((known) => known === value['amount_source']) ?? 'typed',
      status,
      due_date: textOrNull(value['due_date']),
      payment_date: textOrNull(value['payment_date']),
      updated_at: textOrNull(updated_at) ?? '',
    };
  } catch {
    // Written by other code.
    return null;
  }
}

export function writeRecordDraft(currentUserId: string, userId: string, record: RecordDraft | null): void {
  if (!record) {
    writeStoredText(storageKeyOf(currentUserId, userId), null);
    return;
  }
  const { id, name, address, property_type, spt_number, year, amount, amount_source, status } = record;
  const { due_date, payment_date, updated_at } = record;
  // Nothing else of what the caller has.
  const object = { id, name, address, property_type, spt_number, year, amount, amount_source };
  const fields: RecordDraft = { ...object, status, due_date, payment_date, updated_at };
  writeStoredText(storageKeyOf(currentUserId, userId), JSON.stringify(fields));
}

/** Sets which record the next message of a conversation carries, for the account that is signed in. It is kept with the draft. */
export function setRecordDraft(userId: string, record: RecordDraft | null): void {
  const currentUser = getDefaultStore().get(currentUserAtom);
  if (currentUser) writeRecordDraft(currentUser.id, userId, record);
}

export const readRecordDraft = (currentUserId: string, userId: string): RecordDraft | null =>
  parseRecordDraft(readStored(storageKeyOf(currentUserId, userId)));

export function useRecordDraft(currentUserId: string, userId: string): RecordDraft | null {
  const stored = useStoredText(storageKeyOf(currentUserId, userId));
  return useMemo(() => parseRecordDraft(stored), [stored]);
}
