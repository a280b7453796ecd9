import { z } from 'zod';
import { singleOf } from './envelope.ts';
import { bothIds } from './fields.ts';

/** Notices that an admin gets until they are seen: changes of administrators, and downloaded backups (R-USER-17). */

/** The acts that an admin may do about a line. */
const NOTICE_ACTIONS = ['revert', 'stop'] as const;

/** As in the audit. */
const NOTICE_KINDS = [
  'user.created',
  'user.updated',
  'user.deleted',
  'user.recovery_code',
  'user.card',
  'user.second_factor',
  'password.changed',
  'backup.downloaded',
  'settings.retention',
] as const;

const adminNotice = z
  .object({
    /** Of the audit entry, of the change of an own address, or of the announcement of a retention. */
    ...bothIds,
    kind: z.enum(NOTICE_KINDS),
    actor: z.object({ id: z.string(), name: z.string() }),
    /** In Indonesian: who did what to whom. */
    text: z.string(),
    created_at: z.string(),
    actions: z.array(z.enum(NOTICE_ACTIONS)),
  })
  .meta({ id: 'PemberitahuanAdmin' });
export type AdminNotice = z.infer<typeof adminNotice>;

/**
 * The announcement of a retention, the ten oldest changes of own addresses at most, and then the ten oldest others; the newest of
 * each first.
 */
export const noticesAnswer = singleOf(z.array(adminNotice));
export const noticeTexts = { missing: 'Pemberitahuan tidak ditemukan' } as const;
