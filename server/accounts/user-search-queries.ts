import { and, eq, or, type SQL } from 'drizzle-orm';
import { readPhone } from '#shared/domain/users/phone.ts';
import { users } from '../db/schema.ts';
import { anyContains, isProposedUser, trigramQuery } from '../db/search.ts';

/**
 * The accounts whose name or e-mail contains a text, ignoring letter case, or that have it as their phone number. The number of an
 * account without an e-mail address is found as people write it, '4821-7735'. Only admins search accounts. A trigram index proposes them, and their texts decide
 * (docs/decisions/022-kept-sums-and-trigrams.md).
 */
export function userContains(searched: string): SQL | undefined {
  const term = searched.replace(/^\s*(\d{4})-(\d{4})\s*$/, '$1$2');
  const trigrams = trigramQuery(term);
  const isProposed = trigrams === null ? undefined : isProposedUser(trigrams);
  const isNamed = and(isProposed, anyContains([users.name, users.email], term));
  const phone = readPhone(term);
  return phone === null ? isNamed : or(isNamed, eq(users.phone, phone));
}
