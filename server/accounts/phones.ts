import { PHONE_PROVEN_MS } from '#shared/limits.ts';
import type { Transaction } from '#server/db/engine.ts';
import { insertFormerPhone } from './phone-queries.ts';
import type { UserRow } from './user-queries.ts';

type PhoneColumns = Pick<UserRow, 'phone' | 'phoneSince' | 'phoneConsentAt'>;
/** Undefined fields stay. */
type PhoneChange = { phone?: string | null | undefined; phone_consent?: boolean | undefined };
/** Both clocks: operating time for ages, and that of the computer for what is shown. */
type Times = { operatingMs: number; nowMs: number };

/** The columns after a change; another number begins its days anew, and its owner has not agreed to anything yet. */
export function withPhone(user: PhoneColumns, change: PhoneChange, { operatingMs, nowMs }: Times): PhoneColumns {
  const phone = change.phone === undefined ? user.phone : change.phone;
  const isSame = phone === user.phone;
  const hadConsent = isSame ? user.phoneConsentAt : null;
  const consent = change.phone_consent === undefined || phone === null ? hadConsent : (hadConsent ?? nowMs);
  return {
    phone,
    phoneSince: isSame ? user.phoneSince : phone === null ? null : operatingMs,
    phoneConsentAt: phone === null || change.phone_consent === false ? null : consent,
  };
}

/** Called inside the transaction that changes the number. */
export async function rememberFormerPhone(tx: Transaction, user: UserRow, operatingMs: number): Promise<void> {
  if (user.phone === null) return;
  const former = { userId: user.id, phone: user.phone, until: operatingMs };
  await insertFormerPhone(tx, former, operatingMs - PHONE_PROVEN_MS);
}
