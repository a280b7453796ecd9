import { z } from 'zod';
import { SECURITY_EVENTS, SECURITY_HOWS } from '../domain/users/security-events.ts';
import { singleOf } from './envelope.ts';
import { bothIds } from './fields.ts';

/** The own log of an account, and what others did to it since it last looked (R-ACCESS-3, R-ACCESS-4). */

const securityEntry = z
  .object({
    at: z.string(),
    event: z.enum(SECURITY_EVENTS),
    /** Users read 'Petugas' in place of the name of an admin. */
    by_name: z.string(),
    /** The right to do it; null: the rights of the office. */
    how: z.enum(SECURITY_HOWS).nullable(),
  })
  .meta({ id: 'CatatanKeamanan' });
export type SecurityEntry = z.infer<typeof securityEntry>;
/** The 100 newest ones, the newest first. */
export const securityLogAnswer = singleOf(z.array(securityEntry));

const ownNotice = z
  .object({
    ...bothIds,
    kind: z.enum(SECURITY_EVENTS),
    /** In Indonesian: what the office did, when, and what to do about it. */
    text: z.string(),
    created_at: z.string(),
    /** The acts that its owner may do about a line. */
    actions: z.array(z.enum(['withdraw'])),
  })
  .meta({ id: 'PemberitahuanAkun' });
export type OwnNotice = z.infer<typeof ownNotice>;
/** Ten at most, the newest of them first, and last of all the own request to delete the account (R-ACCESS-87). */
export const ownNoticesAnswer = singleOf(z.array(ownNotice));
