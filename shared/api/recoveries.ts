import { z } from 'zod';
import { IDENTIFIER_KINDS } from '../domain/users/identifier.ts';
import { singleOf } from './envelope.ts';
import { bothIds } from './fields.ts';
import { filter } from './filters.ts';

/** Requests of people who cannot get into their account, for the office (R-ACCESS-12). */

const recovery = z
  .object({
    ...bothIds,
    /** Several where one number is that of several accounts. */
    users: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        has_email: z.boolean(),
        phone: z.string().nullable(),
        /** Whether a call to the number proves whose account it is (R-ACCESS-11). */
        phone_proves: z.boolean(),
        /** When the office made a code or a card for it that is not used yet; null: none. */
        way_made_at: z.string().nullable(),
      }),
    ),
    identifier_kind: z.enum(IDENTIFIER_KINDS),
    created_at: z.string(),
    last_seen_at: z.string(),
  })
  .meta({ id: 'PermintaanMasuk' });
export type Recovery = z.infer<typeof recovery>;

export const recoveriesQuery = z.object({ state: filter(z.literal('open')) });
/** 200 at most, the one that was asked last first. */
export const recoveriesAnswer = singleOf(z.array(recovery));
